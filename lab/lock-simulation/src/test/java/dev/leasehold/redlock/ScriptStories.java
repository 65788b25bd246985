package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static dev.leasehold.redlock.ScriptScene.LEASE;
import static dev.leasehold.redlock.ScriptScene.LOCK;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.SECOND;
import static dev.leasehold.redlock.ScriptScene.THREE;
import static dev.leasehold.redlock.ScriptScene.TWO;
import static dev.leasehold.redlock.ScriptScene.raise;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.Publishing;
import java.time.Duration;
import java.util.List;

/**
 * The required behaviour of each script, on a server with a manual clock: kills the mutants of
 * scripts. Static methods without parameters; each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class ScriptStories {
  private ScriptStories() {}

  static void fencesIncreaseWhileTheClockStandsStill() {
    ScriptScene s = new ScriptScene();
    long first = s.acquire(ONE);
    s.release(ONE);
    check(s.acquire(TWO) > first, "the same fence twice");
  }

  static void fencesFollowTheClock() {
    ScriptScene s = new ScriptScene();
    long first = s.acquire(ONE);
    s.release(ONE);
    s.server.call("DEL", LOCK + ":fence");
    s.micros += SECOND;
    check(s.acquire(TWO) > first, "a fence that was forgotten was given again");
  }

  static void fenceIsStoredForADay() {
    ScriptScene s = new ScriptScene();
    long first = s.vote(ONE, s.micros + 500_000);
    s.release(ONE);
    check(s.acquire(TWO) > first, "a fence ahead of the clock was forgotten");
  }

  static void proposedFenceIsUsed() {
    ScriptScene s = new ScriptScene();
    check(s.vote(ONE, s.micros + 7) == s.micros + 7, "not what was proposed");
  }

  static void proposedFenceIsCapped() {
    ScriptScene s = new ScriptScene();
    check(s.vote(ONE, 9_000_000_000_000_000L) == s.micros + SECOND, "led away");
  }

  static void repeatedAcquisitionKeepsItsFence() {
    ScriptScene s = new ScriptScene();
    long first = s.acquire(ONE);
    s.micros += 5;
    check(s.acquire(ONE) == first, "another fence for the same token");
  }

  static void laterFencesExceedReservedNumbers() {
    ScriptScene s = new ScriptScene();
    long first = (Long) s.acquire(ONE, 5, 0).get(0);
    s.release(ONE);
    check(s.acquire(TWO) == first + 6, "a number of two");
  }

  static void reservedNumbersAreCapped() {
    ScriptScene s = new ScriptScene();
    check(s.acquire(ONE, 5, 0).equals(List.of(s.micros, 5L)), "not what was asked for");
    s.release(ONE);
    List<?> run = s.acquire(ONE, 5, s.micros + SECOND - 2);
    check(run.equals(List.of(s.micros + SECOND - 2, 2L)), "more than a second ahead: " + run);
    s.release(ONE);
    run = s.acquire(ONE, 5, 0);
    check(run.equals(List.of(s.micros + SECOND + 1, 0L)), "more than a second ahead: " + run);
  }

  static void repeatedAcquisitionReservesNoNumbers() {
    ScriptScene s = new ScriptScene();
    long first = (Long) s.acquire(ONE, 5, 0).get(0);
    check(s.acquire(ONE, 5, 0).equals(List.of(first + 5, 0L)), "not the last number");
    check(s.acquire(ONE, 5, first + 9).equals(List.of(first + 9, 0L)), "not what was proposed");
  }

  static void unusedNumbersAreReturned() {
    ScriptScene s = new ScriptScene();
    long first = (Long) s.acquire(ONE, 5, 0).get(0);
    s.release(ONE, first + 2, first + 5);
    check(s.acquire(TWO) == first + 3, "not given back");
  }

  static void numbersBelowALaterGrantAreNotReturned() {
    ScriptScene s = new ScriptScene();
    long first = (Long) s.acquire(ONE, 5, 0).get(0);
    s.number(raise(ONE, first + 9));
    s.release(ONE, first + 2, first + 5);
    check(s.acquire(TWO) == first + 10, "given back what another has");
    s.release(ONE, first + 2, first + 10);
    check(s.acquire(TWO) == first + 10, "given back by a client that does not hold it");
  }

  static void repeatedAcquisitionDoesNotShortenTheLease() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.acquire(ONE, Duration.ofSeconds(1), IfHeld.REFUSE);
    check(s.left() == 10_000, "shortened to " + s.left());
  }

  static void repeatedAcquisitionExtendsTheLease() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.acquire(ONE, Duration.ofSeconds(20), IfHeld.REFUSE);
    check(s.left() == 20_000, "still " + s.left());
  }

  static void otherTokensAreRefused() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    check(s.acquire(TWO) == -1 - 10_000, "two have it");
    check(s.number(s.other.acquire(new AcquireRequest(TWO, LEASE, IfHeld.REFUSE))) < 0, "two");
    check(
        s.server.call("ZCARD", LOCK + ":wait").equals(0L),
        "a caller that does not wait stands in the queue");
  }

  static void leaseExpires() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    check(s.left() == 10_000, "lasts " + s.left());
    s.release(ONE);
    s.send(s.other.acquire(new AcquireRequest(ONE, LEASE, IfHeld.REFUSE)));
    check(s.left() == 10_000, "by SETNX lasts " + s.left());
  }

  static void refusedWaiterIsQueued() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    check(s.server.call("ZSCORE", LOCK + ":wait", "s0:c:2") != null, "not in line");
    check((Long) s.server.call("PTTL", LOCK + ":wait") > 0, "the line does not end");
  }

  static void waiterFarBehindLearnsItsPlace() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    for (int i = 0; i < 10; i++) {
      is(s.waits(new LeaseKey("a", "c:before-" + i)), -1 - s.left());
      s.micros++;
    }
    is(s.waits(TWO), List.of(-1 - s.left(), "", 10L));
    is(s.waits(TWO), List.of(-1 - s.left(), "", 10L));
    s.micros++;
    is(
        s.send(s.store.vote(new AcquireRequest(THREE, LEASE, IfHeld.ENQUEUE), s.micros)),
        -1 - s.left());
  }

  static void waiterFarBehindARecallableLeaseLearnsItsPlace() {
    ScriptScene s = new ScriptScene();
    LeaseKey recallable = new LeaseKey("a", "c:1~s0");
    s.acquire(recallable);
    for (int i = 0; i < 10; i++) {
      is(s.waits(new LeaseKey("a", "c:before-" + i)), List.of(-1 - s.left(), recallable.token()));
      s.micros++;
    }
    is(s.waits(TWO), List.of(-1 - s.left(), recallable.token(), 10L));
  }

  static void holderLeavesTheQueue() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.server.call("DEL", LOCK);
    s.acquire(TWO, LEASE, IfHeld.REFUSE);
    check(s.server.call("ZCARD", LOCK + ":wait").equals(0L), "still in line");
  }

  static void repeatedRequestKeepsItsPlace() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.micros += SECOND;
    s.acquire(THREE, LEASE, IfHeld.ENQUEUE);
    s.micros += SECOND;
    s.number(
        s.store.acquire(
            new AcquireRequest(TWO, LEASE, IfHeld.ENQUEUE)
                .repeated()
                .withAtLeast(LEASE)
                .withWaited(Duration.ofSeconds(2))));
    List<?> line = (List<?>) s.server.call("ZRANGE", LOCK + ":wait", "0", "-1");
    check(line.equals(List.of("s0:c:2", "s0:c:3")), "the line is " + line);
  }

  static void earlierOfTwoPlacesCountsOnAQuorum() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    ask(s, TWO, 300, 0); // a late request
    ask(s, THREE, 200, 0);
    ask(s, TWO, 400, 400);
    List<?> line = (List<?>) s.server.call("ZRANGE", LOCK + ":wait", "0", "-1");
    check(line.equals(List.of("s0:c:2", "s0:c:3")), "the line is " + line);
  }

  /** Asks with a proposal that many ms ahead, having waited for that many. */
  private static void ask(ScriptScene s, LeaseKey key, long ahead, long waited) {
    Duration span = Duration.ofMillis(waited);
    AcquireRequest asks = new AcquireRequest(key, LEASE, IfHeld.ENQUEUE).withWaited(span);
    s.number(s.store.vote(waited > 0 ? asks.repeated() : asks, s.micros + ahead * 1000));
  }

  static void releaseRequiresTheToken() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    check(s.release(TWO) == 0 && s.left() == 10_000, "another's was released");
  }

  static void releasedLockIsFree() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    check(s.release(ONE) > 0 && s.acquire(TWO) > 0, "not free");
  }

  static void firstListeningWaiterIsWoken() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.number(s.other.acquire(new AcquireRequest(TWO, LEASE, IfHeld.ENQUEUE)));
    s.micros += 1000;
    s.acquire(THREE, LEASE, IfHeld.ENQUEUE);
    s.listen("s0"); // s1 has no subscriber
    check(s.release(ONE) == 3, "no waiter was woken");
    check(s.server.call("ZCARD", LOCK + ":wait").equals(0L), "still in line");
    check(s.acquire(TWO) < 0, "kept for one that does not listen");
    check(s.acquire(THREE) > 0, "not kept for the woken one");
  }

  static void releaseWakesOneWaiter() {
    ScriptScene s = new ScriptScene();
    s.listen("s0");
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.micros += 1000;
    s.acquire(THREE, LEASE, IfHeld.ENQUEUE);
    s.release(ONE);
    check(s.server.call("ZSCORE", LOCK + ":wait", "s0:c:3") != null, "more than one was woken");
  }

  static void leavingRemovesTheWaiterFromTheQueue() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.send(s.store.leave(TWO, Publishing.toStore("a", Publishing.COUNTS_ALL)));
    check(s.server.call("ZCARD", LOCK + ":wait").equals(0L), "still in line");
  }

  static void leavingWakesNoWaiterWhileTheLockIsHeld() {
    ScriptScene s = new ScriptScene();
    s.listen("s0");
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.acquire(THREE, LEASE, IfHeld.ENQUEUE);
    s.send(s.store.leave(TWO, Publishing.toStore("a", Publishing.COUNTS_ALL)));
    check(s.server.call("ZSCORE", LOCK + ":wait", "s0:c:3") != null, "woken for nothing");
  }

  static void leavingPassesTheWakeUpOn() {
    ScriptScene s = new ScriptScene();
    s.listen("s0");
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.acquire(THREE, LEASE, IfHeld.ENQUEUE);
    s.release(ONE);
    long woken = s.number(s.store.leave(TWO, Publishing.toStore("a", Publishing.COUNTS_ALL)));
    check(woken == 3, "no waiter was woken");
    check(s.acquire(THREE) > 0, "not kept for the woken one");
  }

  static void renewalRequiresTheToken() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.renew(Duration.ofSeconds(20), TWO, 0);
    check(s.left() == 10_000, "another's was renewed");
  }

  static void renewalExtendsTheLease() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.micros += 5 * SECOND;
    s.renew(LEASE, ONE, 1);
    check(s.left() == 10_000, "still " + s.left());
  }

  static void renewalDoesNotShortenTheLease() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.renew(Duration.ofSeconds(1), ONE, 1);
    check(s.left() == 10_000, "shortened to " + s.left());
  }

  static void renewalDoesNotReviveAnExpiredLease() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.micros += 11 * SECOND;
    s.renew(LEASE, ONE, 0);
    check(s.left() == -2, "revived");
  }

  static void raisedFenceIsStored() {
    ScriptScene s = new ScriptScene();
    long fence = s.acquire(ONE) + 100;
    check(s.number(raise(ONE, fence)) == 1, "not the token's");
    s.release(ONE);
    check(s.acquire(TWO) > fence, "not raised");
  }

  static void raiseDoesNotLowerTheFence() {
    ScriptScene s = new ScriptScene();
    long fence = s.acquire(ONE);
    s.number(raise(ONE, 5));
    check(s.acquire(ONE) == fence, "lowered");
  }

  static void onlyTheHolderRaisesTheFence() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    check(s.number(raise(TWO, 5)) == 0, "confirmed to a client that does not hold it");
  }

  static void timeIsTheServersInMicroseconds() {
    ScriptScene s = new ScriptScene();
    is(s.number(FencedScripts.time()), s.micros);
  }
}
