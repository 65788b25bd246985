package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;

import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The required behaviour of the scripts for semaphores, read/write locks and latches, on a server
 * with a manual clock. Each method throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class KindStories extends KindScene {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  void noMorePermitsThanExist() {
    check(takes(ONE, 1, 2) && takes(TWO, 1, 2), "two of two were refused");
    check(!takes(THREE, 1, 2), "three of two");
    check(held() == 2, "held: " + held());
  }

  void expiredPermitsAreFree() {
    takes(ONE, 1, 2);
    takes(TWO, 1, 2, MINUTE);
    seconds(11);
    check(takes(THREE, 1, 2), "a dead one's permit is held");
  }

  void keyLivesAsLongAsTheLongestLease() {
    takes(ONE, 1, 2, MINUTE);
    takes(TWO, 1, 2);
    check(leftOf(":permits") == 60_000, "it ends in " + leftOf(":permits"));
    check(leftOf(":permits:number") > 60_000, "the number ends sooner");
  }

  void permitCountLivesLongerThanTheLongestLease() {
    Duration days = Duration.ofDays(10);
    takes(ONE, 1, 2, days);
    takes(TWO, 1, 2);
    check(leftOf(":permits:number") > days.toMillis(), "forgotten while a permit is held");
  }

  void repeatedAcquisitionDoesNotShortenTheLease() {
    takes(ONE, 1, 1, MINUTE);
    check(takes(ONE, 1, 1, SECOND), "refused what it has");
    seconds(11);
    check(!takes(TWO, 1, 1), "shortened");
  }

  void renewalDoesNotReviveExpiredPermits() {
    takes(ONE, 1, 2);
    takes(TWO, 1, 2, MINUTE);
    seconds(11);
    renews(ONE, MINUTE, 0);
    check(held() == 1, "revived");
  }

  void renewalDoesNotShortenTheLease() {
    takes(ONE, 1, 1, MINUTE);
    renews(ONE, SECOND, 1);
    seconds(11);
    check(!takes(TWO, 1, 1), "shortened");
  }

  void renewalExtendsAllPermits() {
    takes(ONE, 2, 2);
    renews(ONE, MINUTE, 1);
    seconds(11);
    check(held() == 2, "held: " + held());
  }

  void permitCountOutlivesRenewals() {
    Duration days = Duration.ofDays(2);
    takes(ONE, 1, 1);
    renews(ONE, days, 1);
    check(leftOf(":permits:number") > days.toMillis(), "the number ends sooner");
  }

  void allPermitsAreReleased() {
    takes(ONE, 2, 2);
    check(gives(ONE, 2) == 1 && held() == 0, "held: " + held());
  }

  void waiterForMorePermitsHoldsTheDoor() {
    takes(ONE, 2, 3);
    waits(TWO, 2, 3);
    check(!takes(THREE, 1, 3), "what has to gather is taken");
    seconds(3);
    check(takes(THREE, 1, 3), "a dead one holds the door");
  }

  void asManyWaitersAreWokenAsFit() {
    listen("s0");
    takes(ONE, 2, 2);
    waits(TWO, 1, 2);
    waits(THREE, 1, 2);
    waits(FOUR, 1, 2);
    check(gives(ONE, 2) == 3, "no waiter was woken");
    Object line = server.call("ZRANGE", LOCK + ":permits:wait", "0", "-1");
    check(line.equals(List.of("1 s0:c:4")), "still in line: " + line);
  }

  void waiterThatDoesNotFitIsNotWoken() {
    listen("s0");
    takes(ONE, 1, 2);
    takes(TWO, 1, 2);
    waits(THREE, 2, 2);
    check(gives(ONE, 1) == 1, "woken, and has to wait");
  }

  void reservationIsForTheWokenWaiter() {
    listen("s0");
    takes(ONE, 1, 1);
    waits(TWO, 1, 1);
    gives(ONE, 1);
    check(!takes(THREE, 1, 1), "taken by a later one");
    check(takes(TWO, 1, 1), "kept from the woken one");
  }

  void leavingPassesTheReservationOn() {
    listen("s0");
    takes(ONE, 1, 1);
    waits(TWO, 1, 1);
    waits(THREE, 1, 1);
    gives(ONE, 1);
    check(leaves(TWO, 1) == 1, "no waiter was woken");
  }

  void differentPermitCountIsRefused() {
    takes(ONE, 1, 3);
    Object reply = asks(TWO, 1, 2, SECOND);
    check(reply.equals(List.of(0L, 3L)), "another number: " + reply);
    check(resizes(2, 5) == 3, "changed by a client with another number");
    check(takes(TWO, 1, 3), "another number now");
  }

  void resizingNotifiesAllWaiters() {
    List<String> told = new ArrayList<>();
    listen("s0", told::add);
    takes(ONE, 2, 2);
    waits(TWO, 1, 2);
    waits(THREE, 2, 2);
    check(resizes(2, 2) == 2 && told.isEmpty(), "told, and nothing has changed: " + told);
    check(resizes(2, 1) == 1 && told.size() == 2, "of two: " + told);
    gives(ONE, 2);
    check(held() == 0, "kept for a client with the old number");
  }

  void smallerCountWaitsForExcessPermits() {
    takes(ONE, 2, 3);
    takes(TWO, 1, 3);
    check(resizes(3, 1) == 1 && held() == 3, "freed, and it is held: " + held());
    gives(TWO, 1);
    check(!takes(THREE, 1, 1), "two are held of one");
    gives(ONE, 2);
    check(takes(THREE, 1, 1), "nothing is held");
  }

  void writerIsExclusive() {
    check(reads(ONE) > 0 && reads(TWO) > 0, "readers are not together");
    check(writes(THREE) < 0, "a writer is granted beside readers");
    gives(ONE, Side.READ);
    gives(TWO, Side.READ);
    check(writes(THREE) > 0, "there is no reader");
    check(reads(ONE) < 0, "a reader is granted beside a writer");
  }

  void expiredReaderDoesNotBlock() {
    reads(ONE);
    enters(TWO, Side.READ, MINUTE, "");
    gives(TWO, Side.READ);
    seconds(11);
    check(writes(THREE) > 0, "a dead reader keeps a writer out");
  }

  void readersKeyLivesAsLongAsTheLongestLease() {
    enters(ONE, Side.READ, MINUTE, "");
    reads(TWO);
    seconds(11);
    check(writes(THREE) < 0, "a writer beside a reader");
  }

  void waitingWriterStopsReaders() {
    reads(ONE);
    waits(TWO, Side.WRITE);
    check(reads(THREE) < 0, "a reader passes a writer");
  }

  void writerMayAlsoRead() {
    writes(ONE);
    check(enters(TWO, Side.READ, MINUTE, ONE.token()) > 0, "refused to its own owner");
    check(enters(THREE, Side.READ, MINUTE, FOUR.token()) < 0, "beside another's write");
  }

  void writerIsReleasedOnlyByItsToken() {
    writes(ONE);
    check(gives(TWO, Side.WRITE) == 0, "not its own");
    check(writes(THREE) < 0, "another's was released");
  }

  void readersTokenExceedsTheLastWriters() {
    long written = writes(ONE);
    gives(ONE, Side.WRITE);
    check(reads(TWO) > written, "no larger than the writer's");
  }

  void writersTokenExceedsAllEarlierOnes() {
    writes(ONE);
    gives(ONE, Side.WRITE);
    long read = reads(TWO);
    gives(TWO, Side.READ);
    check(writes(THREE) > read, "no larger than the reader's");
  }

  void repeatedCountDownCountsOnce() {
    check(opens("r1", 2) && counts("t1") && counts("t1"), "not counted");
    check(missing() == 1, "missing: " + missing());
    check(counts("t2") && missing() == 0, "missing: " + missing());
    check(!counts("t3"), "below zero");
  }

  void openLatchIsNotOpenedAgain() {
    check(opens("r1", 2) && opens("r1", 2), "not opened");
    check(!opens("r2", 5) && missing() == 2, "opened anew: " + missing());
  }

  void allWaitersAreWokenAtZero() {
    int[] heard = new int[1];
    server.subscribe("lh:wake:s0", (channel, message) -> heard[0]++);
    opens("r1", 2);
    look(IfHeld.ENQUEUE);
    counts("t1");
    check(heard[0] == 0, "woken before zero");
    counts("t2");
    check(heard[0] == 1, "not woken");
  }

  void expiredLatchIsNotCountedDown() {
    opens("r1", 1);
    seconds(61);
    check(!counts("t1"), "counted, and it is over");
    check(opens("r2", 1), "not opened anew");
  }

  void slotHasOneToken() {
    votes();
    check(votes(ONE, 2, 0) instanceof Long, "not granted");
    check(votes(TWO, 2, 0) instanceof List<?>, "two on one slot");
    check(votes(TWO, 2, 1) instanceof Long, "another slot");
  }

  void tokensOfASlotIncrease() {
    votes();
    Object first = votes(ONE, 1, 0);
    givesSlots(ONE);
    check((Long) votes(TWO, 1, 0) > (Long) first, "the same fence twice");
  }
}
