package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.Publishing;
import java.time.Duration;
import java.util.List;

/**
 * The required behaviour of each script, on a server with a manual clock: kills the mutants of
 * scripts. Each method throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class ScriptStories extends ScriptScene {
  void fencesIncreaseWhileTheClockStandsStill() {
    long first = acquire(ONE);
    release(ONE);
    check(acquire(TWO) > first, "the same fence twice");
  }

  void fencesFollowTheClock() {
    long first = acquire(ONE);
    release(ONE);
    server.call("DEL", LOCK + ":fence");
    micros += SECOND;
    check(acquire(TWO) > first, "a fence that was forgotten was given again");
  }

  void fenceIsStoredForADay() {
    long first = vote(ONE, micros + 500_000);
    release(ONE);
    check(acquire(TWO) > first, "a fence ahead of the clock was forgotten");
  }

  void proposedFenceIsUsed() {
    check(vote(ONE, micros + 7) == micros + 7, "not what was proposed");
  }

  void proposedFenceIsCapped() {
    check(vote(ONE, 9_000_000_000_000_000L) == micros + SECOND, "led away");
  }

  void repeatedAcquisitionKeepsItsFence() {
    long first = acquire(ONE);
    micros += 5;
    check(acquire(ONE) == first, "another fence for the same token");
  }

  void laterFencesExceedReservedNumbers() {
    long first = (Long) acquire(ONE, 5, 0).get(0);
    release(ONE);
    check(acquire(TWO) == first + 6, "a number of two");
  }

  void reservedNumbersAreCapped() {
    check(acquire(ONE, 5, 0).equals(List.of(micros, 5L)), "not what was asked for");
    release(ONE);
    List<?> run = acquire(ONE, 5, micros + SECOND - 2);
    check(run.equals(List.of(micros + SECOND - 2, 2L)), "more than a second ahead: " + run);
    release(ONE);
    run = acquire(ONE, 5, 0);
    check(run.equals(List.of(micros + SECOND + 1, 0L)), "more than a second ahead: " + run);
  }

  void repeatedAcquisitionReservesNoNumbers() {
    long first = (Long) acquire(ONE, 5, 0).get(0);
    check(acquire(ONE, 5, 0).equals(List.of(first + 5, 0L)), "not the last number");
    check(acquire(ONE, 5, first + 9).equals(List.of(first + 9, 0L)), "not what was proposed");
  }

  void unusedNumbersAreReturned() {
    long first = (Long) acquire(ONE, 5, 0).get(0);
    release(ONE, first + 2, first + 5);
    check(acquire(TWO) == first + 3, "not given back");
  }

  void numbersBelowALaterGrantAreNotReturned() {
    long first = (Long) acquire(ONE, 5, 0).get(0);
    number(raise(ONE, first + 9));
    release(ONE, first + 2, first + 5);
    check(acquire(TWO) == first + 10, "given back what another has");
    release(ONE, first + 2, first + 10);
    check(acquire(TWO) == first + 10, "given back by a client that does not hold it");
  }

  void repeatedAcquisitionDoesNotShortenTheLease() {
    acquire(ONE);
    acquire(ONE, Duration.ofSeconds(1), IfHeld.REFUSE);
    check(left() == 10_000, "shortened to " + left());
  }

  void repeatedAcquisitionExtendsTheLease() {
    acquire(ONE);
    acquire(ONE, Duration.ofSeconds(20), IfHeld.REFUSE);
    check(left() == 20_000, "still " + left());
  }

  void otherTokensAreRefused() {
    acquire(ONE);
    check(acquire(TWO) == -1 - 10_000, "two have it");
    check(number(other.acquire(new AcquireRequest(TWO, LEASE, IfHeld.REFUSE))) < 0, "two");
    check(
        server.call("ZCARD", LOCK + ":wait").equals(0L),
        "a caller that does not wait stands in the queue");
  }

  void leaseExpires() {
    acquire(ONE);
    check(left() == 10_000, "lasts " + left());
    release(ONE);
    send(other.acquire(new AcquireRequest(ONE, LEASE, IfHeld.REFUSE)));
    check(left() == 10_000, "by SETNX lasts " + left());
  }

  void refusedWaiterIsQueued() {
    acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    check(server.call("ZSCORE", LOCK + ":wait", "s0:c:2") != null, "not in line");
    check((Long) server.call("PTTL", LOCK + ":wait") > 0, "the line does not end");
  }

  void waiterFarBehindLearnsItsPlace() {
    acquire(ONE);
    for (int i = 0; i < 10; i++) {
      is(waits(new LeaseKey("a", "c:before-" + i)), -1 - left());
      micros++;
    }
    is(waits(TWO), List.of(-1 - left(), "", 10L));
    is(waits(TWO), List.of(-1 - left(), "", 10L));
    micros++;
    is(send(store.vote(new AcquireRequest(THREE, LEASE, IfHeld.ENQUEUE), micros)), -1 - left());
  }

  void waiterFarBehindARecallableLeaseLearnsItsPlace() {
    LeaseKey recallable = new LeaseKey("a", "c:1~s0");
    acquire(recallable);
    for (int i = 0; i < 10; i++) {
      is(waits(new LeaseKey("a", "c:before-" + i)), List.of(-1 - left(), recallable.token()));
      micros++;
    }
    is(waits(TWO), List.of(-1 - left(), recallable.token(), 10L));
  }

  void holderLeavesTheQueue() {
    acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    server.call("DEL", LOCK);
    acquire(TWO, LEASE, IfHeld.REFUSE);
    check(server.call("ZCARD", LOCK + ":wait").equals(0L), "still in line");
  }

  void repeatedRequestKeepsItsPlace() {
    acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    micros += SECOND;
    acquire(THREE, LEASE, IfHeld.ENQUEUE);
    micros += SECOND;
    number(
        store.acquire(
            new AcquireRequest(TWO, LEASE, IfHeld.ENQUEUE)
                .repeated()
                .withAtLeast(LEASE)
                .withWaited(Duration.ofSeconds(2))));
    List<?> line = (List<?>) server.call("ZRANGE", LOCK + ":wait", "0", "-1");
    check(line.equals(List.of("s0:c:2", "s0:c:3")), "the line is " + line);
  }

  void earlierOfTwoPlacesCountsOnAQuorum() {
    acquire(ONE);
    ask(TWO, 300, 0); // a late request
    ask(THREE, 200, 0);
    ask(TWO, 400, 400);
    List<?> line = (List<?>) server.call("ZRANGE", LOCK + ":wait", "0", "-1");
    check(line.equals(List.of("s0:c:2", "s0:c:3")), "the line is " + line);
  }

  /** Asks with a proposal that many ms ahead, having waited for that many. */
  private void ask(LeaseKey key, long ahead, long waited) {
    Duration span = Duration.ofMillis(waited);
    AcquireRequest asks = new AcquireRequest(key, LEASE, IfHeld.ENQUEUE).withWaited(span);
    number(store.vote(waited > 0 ? asks.repeated() : asks, micros + ahead * 1000));
  }

  void releaseRequiresTheToken() {
    acquire(ONE);
    check(release(TWO) == 0 && left() == 10_000, "another's was released");
  }

  void releasedLockIsFree() {
    acquire(ONE);
    check(release(ONE) > 0 && acquire(TWO) > 0, "not free");
  }

  void firstListeningWaiterIsWoken() {
    acquire(ONE);
    number(other.acquire(new AcquireRequest(TWO, LEASE, IfHeld.ENQUEUE)));
    micros += 1000;
    acquire(THREE, LEASE, IfHeld.ENQUEUE);
    listen("s0"); // s1 has no subscriber
    check(release(ONE) == 3, "no waiter was woken");
    check(server.call("ZCARD", LOCK + ":wait").equals(0L), "still in line");
    check(acquire(TWO) < 0, "kept for one that does not listen");
    check(acquire(THREE) > 0, "not kept for the woken one");
  }

  void releaseWakesOneWaiter() {
    listen("s0");
    acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    micros += 1000;
    acquire(THREE, LEASE, IfHeld.ENQUEUE);
    release(ONE);
    check(server.call("ZSCORE", LOCK + ":wait", "s0:c:3") != null, "more than one was woken");
  }

  void leavingRemovesTheWaiterFromTheQueue() {
    acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    send(store.leave(TWO, Publishing.toStore("a", Publishing.COUNTS_ALL)));
    check(server.call("ZCARD", LOCK + ":wait").equals(0L), "still in line");
  }

  void leavingWakesNoWaiterWhileTheLockIsHeld() {
    listen("s0");
    acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    acquire(THREE, LEASE, IfHeld.ENQUEUE);
    send(store.leave(TWO, Publishing.toStore("a", Publishing.COUNTS_ALL)));
    check(server.call("ZSCORE", LOCK + ":wait", "s0:c:3") != null, "woken for nothing");
  }

  void leavingPassesTheWakeUpOn() {
    listen("s0");
    acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    acquire(THREE, LEASE, IfHeld.ENQUEUE);
    release(ONE);
    long woken = number(store.leave(TWO, Publishing.toStore("a", Publishing.COUNTS_ALL)));
    check(woken == 3, "no waiter was woken");
    check(acquire(THREE) > 0, "not kept for the woken one");
  }

  void renewalRequiresTheToken() {
    acquire(ONE);
    renew(Duration.ofSeconds(20), TWO, 0);
    check(left() == 10_000, "another's was renewed");
  }

  void renewalExtendsTheLease() {
    acquire(ONE);
    micros += 5 * SECOND;
    renew(LEASE, ONE, 1);
    check(left() == 10_000, "still " + left());
  }

  void renewalDoesNotShortenTheLease() {
    acquire(ONE);
    renew(Duration.ofSeconds(1), ONE, 1);
    check(left() == 10_000, "shortened to " + left());
  }

  void renewalDoesNotReviveAnExpiredLease() {
    acquire(ONE);
    micros += 11 * SECOND;
    renew(LEASE, ONE, 0);
    check(left() == -2, "revived");
  }

  void raisedFenceIsStored() {
    long fence = acquire(ONE) + 100;
    check(number(raise(ONE, fence)) == 1, "not the token's");
    release(ONE);
    check(acquire(TWO) > fence, "not raised");
  }

  void raiseDoesNotLowerTheFence() {
    long fence = acquire(ONE);
    number(raise(ONE, 5));
    check(acquire(ONE) == fence, "lowered");
  }

  void onlyTheHolderRaisesTheFence() {
    acquire(ONE);
    check(number(raise(TWO, 5)) == 0, "confirmed to a client that does not hold it");
  }

  void timeIsTheServersInMicroseconds() {
    is(number(FencedScripts.time()), micros);
  }
}
