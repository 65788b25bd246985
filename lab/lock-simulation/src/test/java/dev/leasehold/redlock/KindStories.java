package dev.leasehold.redlock;

import static dev.leasehold.redlock.KindScene.FOUR;
import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.ScriptScene.LOCK;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.THREE;
import static dev.leasehold.redlock.ScriptScene.TWO;

import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The required behaviour of the scripts for semaphores, read/write locks and latches, on a server
 * with a manual clock. Static methods without parameters; each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class KindStories {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private KindStories() {}

  static void noMorePermitsThanExist() {
    KindScene k = new KindScene();
    check(k.takes(ONE, 1, 2) && k.takes(TWO, 1, 2), "two of two were refused");
    check(!k.takes(THREE, 1, 2), "three of two");
    check(k.held() == 2, "held: " + k.held());
  }

  static void expiredPermitsAreFree() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 2);
    k.takes(TWO, 1, 2, MINUTE);
    k.seconds(11);
    check(k.takes(THREE, 1, 2), "a dead one's permit is held");
  }

  static void keyLivesAsLongAsTheLongestLease() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 2, MINUTE);
    k.takes(TWO, 1, 2);
    check(k.left(":permits") == 60_000, "it ends in " + k.left(":permits"));
    check(k.left(":permits:number") > 60_000, "the number ends sooner");
  }

  static void permitCountLivesLongerThanTheLongestLease() {
    KindScene k = new KindScene();
    Duration days = Duration.ofDays(10);
    k.takes(ONE, 1, 2, days);
    k.takes(TWO, 1, 2);
    check(k.left(":permits:number") > days.toMillis(), "forgotten while a permit is held");
  }

  static void repeatedAcquisitionDoesNotShortenTheLease() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 1, MINUTE);
    check(k.takes(ONE, 1, 1, SECOND), "refused what it has");
    k.seconds(11);
    check(!k.takes(TWO, 1, 1), "shortened");
  }

  static void renewalDoesNotReviveExpiredPermits() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 2);
    k.takes(TWO, 1, 2, MINUTE);
    k.seconds(11);
    k.renews(ONE, MINUTE, 0);
    check(k.held() == 1, "revived");
  }

  static void renewalDoesNotShortenTheLease() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 1, MINUTE);
    k.renews(ONE, SECOND, 1);
    k.seconds(11);
    check(!k.takes(TWO, 1, 1), "shortened");
  }

  static void renewalExtendsAllPermits() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 2);
    k.renews(ONE, MINUTE, 1);
    k.seconds(11);
    check(k.held() == 2, "held: " + k.held());
  }

  static void permitCountOutlivesRenewals() {
    KindScene k = new KindScene();
    Duration days = Duration.ofDays(2);
    k.takes(ONE, 1, 1);
    k.renews(ONE, days, 1);
    check(k.left(":permits:number") > days.toMillis(), "the number ends sooner");
  }

  static void allPermitsAreReleased() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 2);
    check(k.gives(ONE, 2) == 1 && k.held() == 0, "held: " + k.held());
  }

  static void waiterForMorePermitsHoldsTheDoor() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3);
    k.waits(TWO, 2, 3);
    check(!k.takes(THREE, 1, 3), "what has to gather is taken");
    k.seconds(3);
    check(k.takes(THREE, 1, 3), "a dead one holds the door");
  }

  static void asManyWaitersAreWokenAsFit() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.takes(ONE, 2, 2);
    k.waits(TWO, 1, 2);
    k.waits(THREE, 1, 2);
    k.waits(FOUR, 1, 2);
    check(k.gives(ONE, 2) == 3, "no waiter was woken");
    Object line = k.s.server.call("ZRANGE", LOCK + ":permits:wait", "0", "-1");
    check(line.equals(List.of("1 s0:c:4")), "still in line: " + line);
  }

  static void waiterThatDoesNotFitIsNotWoken() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.takes(ONE, 1, 2);
    k.takes(TWO, 1, 2);
    k.waits(THREE, 2, 2);
    check(k.gives(ONE, 1) == 1, "woken, and has to wait");
  }

  static void reservationIsForTheWokenWaiter() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.takes(ONE, 1, 1);
    k.waits(TWO, 1, 1);
    k.gives(ONE, 1);
    check(!k.takes(THREE, 1, 1), "taken by a later one");
    check(k.takes(TWO, 1, 1), "kept from the woken one");
  }

  static void leavingPassesTheReservationOn() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.takes(ONE, 1, 1);
    k.waits(TWO, 1, 1);
    k.waits(THREE, 1, 1);
    k.gives(ONE, 1);
    check(k.leaves(TWO, 1) == 1, "no waiter was woken");
  }

  static void differentPermitCountIsRefused() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 3);
    Object reply = k.asks(TWO, 1, 2, SECOND);
    check(reply.equals(List.of(0L, 3L)), "another number: " + reply);
    check(k.resizes(2, 5) == 3, "changed by a client with another number");
    check(k.takes(TWO, 1, 3), "another number now");
  }

  static void resizingNotifiesAllWaiters() {
    KindScene k = new KindScene();
    List<String> told = new ArrayList<>();
    k.s.listen("s0", told::add);
    k.takes(ONE, 2, 2);
    k.waits(TWO, 1, 2);
    k.waits(THREE, 2, 2);
    check(k.resizes(2, 2) == 2 && told.isEmpty(), "told, and nothing has changed: " + told);
    check(k.resizes(2, 1) == 1 && told.size() == 2, "of two: " + told);
    k.gives(ONE, 2);
    check(k.held() == 0, "kept for a client with the old number");
  }

  static void smallerCountWaitsForExcessPermits() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3);
    k.takes(TWO, 1, 3);
    check(k.resizes(3, 1) == 1 && k.held() == 3, "freed, and it is held: " + k.held());
    k.gives(TWO, 1);
    check(!k.takes(THREE, 1, 1), "two are held of one");
    k.gives(ONE, 2);
    check(k.takes(THREE, 1, 1), "nothing is held");
  }

  static void writerIsExclusive() {
    KindScene k = new KindScene();
    check(k.reads(ONE) > 0 && k.reads(TWO) > 0, "readers are not together");
    check(k.writes(THREE) < 0, "a writer is granted beside readers");
    k.gives(ONE, Side.READ);
    k.gives(TWO, Side.READ);
    check(k.writes(THREE) > 0, "there is no reader");
    check(k.reads(ONE) < 0, "a reader is granted beside a writer");
  }

  static void expiredReaderDoesNotBlock() {
    KindScene k = new KindScene();
    k.reads(ONE);
    k.enters(TWO, Side.READ, MINUTE, "");
    k.gives(TWO, Side.READ);
    k.seconds(11);
    check(k.writes(THREE) > 0, "a dead reader keeps a writer out");
  }

  static void readersKeyLivesAsLongAsTheLongestLease() {
    KindScene k = new KindScene();
    k.enters(ONE, Side.READ, MINUTE, "");
    k.reads(TWO);
    k.seconds(11);
    check(k.writes(THREE) < 0, "a writer beside a reader");
  }

  static void waitingWriterStopsReaders() {
    KindScene k = new KindScene();
    k.reads(ONE);
    k.waits(TWO, Side.WRITE);
    check(k.reads(THREE) < 0, "a reader passes a writer");
  }

  static void writerMayAlsoRead() {
    KindScene k = new KindScene();
    k.writes(ONE);
    check(k.enters(TWO, Side.READ, MINUTE, ONE.token()) > 0, "refused to its own owner");
    check(k.enters(THREE, Side.READ, MINUTE, FOUR.token()) < 0, "beside another's write");
  }

  static void writerIsReleasedOnlyByItsToken() {
    KindScene k = new KindScene();
    k.writes(ONE);
    check(k.gives(TWO, Side.WRITE) == 0, "not its own");
    check(k.writes(THREE) < 0, "another's was released");
  }

  static void readersTokenExceedsTheLastWriters() {
    KindScene k = new KindScene();
    long written = k.writes(ONE);
    k.gives(ONE, Side.WRITE);
    check(k.reads(TWO) > written, "no larger than the writer's");
  }

  static void writersTokenExceedsAllEarlierOnes() {
    KindScene k = new KindScene();
    k.writes(ONE);
    k.gives(ONE, Side.WRITE);
    long read = k.reads(TWO);
    k.gives(TWO, Side.READ);
    check(k.writes(THREE) > read, "no larger than the reader's");
  }

  static void repeatedCountDownCountsOnce() {
    KindScene k = new KindScene();
    check(k.opens("r1", 2) && k.counts("t1") && k.counts("t1"), "not counted");
    check(k.missing() == 1, "missing: " + k.missing());
    check(k.counts("t2") && k.missing() == 0, "missing: " + k.missing());
    check(!k.counts("t3"), "below zero");
  }

  static void openLatchIsNotOpenedAgain() {
    KindScene k = new KindScene();
    check(k.opens("r1", 2) && k.opens("r1", 2), "not opened");
    check(!k.opens("r2", 5) && k.missing() == 2, "opened anew: " + k.missing());
  }

  static void allWaitersAreWokenAtZero() {
    KindScene k = new KindScene();
    int[] heard = new int[1];
    k.s.server.subscribe("lh:wake:s0", (channel, message) -> heard[0]++);
    k.opens("r1", 2);
    k.look(IfHeld.ENQUEUE);
    k.counts("t1");
    check(heard[0] == 0, "woken before zero");
    k.counts("t2");
    check(heard[0] == 1, "not woken");
  }

  static void expiredLatchIsNotCountedDown() {
    KindScene k = new KindScene();
    k.opens("r1", 1);
    k.seconds(61);
    check(!k.counts("t1"), "counted, and it is over");
    check(k.opens("r2", 1), "not opened anew");
  }

  static void slotHasOneToken() {
    KindScene k = new KindScene();
    k.votes();
    check(k.votes(ONE, 2, 0) instanceof Long, "not granted");
    check(k.votes(TWO, 2, 0) instanceof List<?>, "two on one slot");
    check(k.votes(TWO, 2, 1) instanceof Long, "another slot");
  }

  static void tokensOfASlotIncrease() {
    KindScene k = new KindScene();
    k.votes();
    Object first = k.votes(ONE, 1, 0);
    k.givesSlots(ONE);
    check((Long) k.votes(TWO, 1, 0) > (Long) first, "the same fence twice");
  }
}
