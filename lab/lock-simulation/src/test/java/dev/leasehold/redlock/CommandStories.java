package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The store without scripts, each operation by single commands. Each method throws if the behaviour
 * differs.
 */
@SuppressWarnings("unused") // called by reflection
final class CommandStories extends CommandScene {
  // ---- acquire ----

  void grantStoresTokenAndFence() {
    long fence = acquire(ONE);
    is(at("GET", LOCK), "c:1");
    lasts(LOCK, LEASE.toMillis());
    is(at("GET", FENCE), fence + "+0"); // a first fence has the mark
    lasts(FENCE, DAY_AND_HOUR);
    is(scene.sent(Operation.ACQUIRE), 2L);
  }

  void refusalWritesNothing() {
    long fence = acquire(ONE);
    AcquireRequest other = request(TWO);
    for (AcquireRequest each : List.of(other, other.withWaited(Duration.ofSeconds(1)))) {
      Held held = (Held) acquire(each);
      long left = held.retryAfter().toMillis();
      check(left > 9_900 && left <= 10_000, "held for " + left);
      is(at("GET", LOCK), "c:1");
      is(at("GET", FENCE), fence + "+0");
    }
  }

  void waiterIsGranted() {
    long fence = acquire(ONE);
    is(release(ONE), ReleaseResult.RELEASED);
    check(fence(acquire(request(TWO).withWaited(Duration.ofSeconds(1)))) > fence, "no larger");
    is(at("GET", LOCK), "c:2");
  }

  void lockWithoutExpiryIsRetriedAfterASecond() {
    at("SET", LOCK, "another");
    is(((Held) acquire(request(ONE))).retryAfter(), Held.ENDLESS);
  }

  void fencesIncreaseWhileTheClockIsSetBack() {
    long fence = acquire(ONE);
    release(ONE);
    scene.servers.get(0).node().stepWallClock(Duration.ofHours(-1));
    is(acquire(TWO), fence + 1);
  }

  void fencesFollowTheClock() {
    long fence = acquire(ONE);
    release(ONE);
    at("DEL", FENCE);
    scene.run(1000);
    check(acquire(TWO) >= fence + 1_000_000, "behind the clock");
  }

  void reservedNumbersAreStoredAndReturned() {
    Granted granted = (Granted) acquire(request(ONE).withHandOvers(100));
    long fence = granted.fence().orElseThrow();
    is(granted.handOvers(), 100);
    is(at("GET", FENCE), fence + "+0100");
    scene.world.await(store.release(ONE, new FenceRun(fence, fence + 100)));
    is(at("GET", FENCE), fence + "+0");
    is(at("EXISTS", LOCK), 0L);
    at("SET", FENCE, Long.toString(fence));
    fence = fence(acquire(request(ONE).withHandOvers(100)));
    is(at("GET", FENCE), fence + "+100");
    scene.world.await(store.release(ONE, new FenceRun(fence, fence + 100)));
    is(at("GET", FENCE), Long.toString(fence));
  }

  void markOfTheFenceIsKept() {
    at("SET", FENCE, "5+07");
    is(at("GET", FENCE), "5+07");
    long fence = fence(acquire(request(ONE).withHandOvers(3)));
    is(at("GET", FENCE), fence + "+03");
  }

  void repeatedAcquisitionDrawsALargerFence() {
    long fence = acquire(ONE);
    at("PEXPIRE", LOCK, "50000");
    check(acquire(ONE) > fence, "the same fence");
    lasts(LOCK, 50_000);
  }

  void otherFenceMeanwhileIsNotOverwritten() {
    long later = acquire(ONE) + 1_000_000_000;
    release(ONE);
    before(2, () -> at("SET", FENCE, Long.toString(later)));
    is(acquire(TWO), later + 1);
    is(at("GET", FENCE), Long.toString(later + 1));
  }

  void tokenReleasedBeforeItCameIsStillRefused() {
    LeaseStore scripts = scripts();
    // As a release leaves them where there is no fence yet.
    at("SET", LOCK + ":gone:c:2", "", "PX", "3600000");
    at("SET", LOCK + ":gone", "", "PX", "3600000");
    acquire(ONE);
    release(ONE);
    String failure = failure(scripts.acquire(request(TWO)));
    check(failure.contains("released before"), failure);
    is(at("EXISTS", LOCK), 0L);
  }

  void firstFenceMeanwhileIsNotOverwritten() {
    before(2, () -> at("SET", FENCE, "9000000000000000"));
    is(acquire(TWO), 9_000_000_000_000_001L);
  }

  void reservationThatExpiredIsNotGranted() {
    before(2, () -> at("SET", LOCK, "another", "PX", "5000"));
    check(acquire(request(ONE)) instanceof Held, "granted");
    is(at("GET", LOCK), "another");
  }

  void freeLockIsAcquiredThoughItsReservationExpired() {
    before(2, () -> at("DEL", LOCK));
    acquire(ONE);
    is(at("GET", LOCK), "c:1");
  }

  void keyOfAnotherTypeInPlaceOfTheFenceIsRefused() {
    at("RPUSH", FENCE, "x");
    String failure = failure(store.acquire(request(ONE)));
    check(failure.contains("WRONGTYPE"), failure);
    is(at("EXISTS", LOCK), 0L);
  }

  void otherDataInPlaceOfTheFenceIsRefused() {
    for (String fence : List.of("nonsense", "9007199254740990")) {
      at("SET", FENCE, fence);
      String failure = failure(store.acquire(request(ONE)));
      check(failure.contains(fence), failure);
      is(at("EXISTS", LOCK), 0L);
      is(at("GET", FENCE), fence);
    }
  }

  void lateRequestReservesForTheCommandTimeout() {
    Duration late = Duration.ofSeconds(20);
    scene.plan =
        call ->
            call.operation() == Operation.ACQUIRE && scene.sent(Operation.ACQUIRE) == 1
                ? Fate.repeated(Scene.WAY, late, Scene.WAY)
                : Fate.after(Scene.WAY);
    acquire(ONE);
    is(release(ONE), ReleaseResult.RELEASED);
    scene.run(late.toMillis());
    is(at("GET", LOCK), "+c:1");
    lasts(LOCK, COMMAND_TIMEOUT);
    check(acquire(request(TWO)) instanceof Held, "granted to another meanwhile");
  }

  // ---- release, renew and keep ----

  void releaseRequiresTheToken() {
    acquire(ONE);
    is(release(TWO), ReleaseResult.NOT_OWNER);
    is(at("GET", LOCK), "c:1");
    is(release(ONE), ReleaseResult.RELEASED);
    is(release(ONE), ReleaseResult.NOT_OWNER);
  }

  void reservationIsReleased() {
    scene.plan =
        call -> scene.sent(Operation.ACQUIRE) == 2 ? Fate.requestLost() : Fate.after(Scene.WAY);
    CompletableFuture<AcquireResult> call = store.acquire(request(ONE)).toCompletableFuture();
    scene.run(100);
    is(at("GET", LOCK), "+c:1");
    call.cancel(true);
    scene.plan = any -> Fate.after(Scene.WAY);
    is(release(ONE), ReleaseResult.RELEASED);
    is(at("EXISTS", LOCK), 0L);
  }

  void lateConfirmationDuringAReleaseIsReleased() {
    scene.plan =
        call -> {
          if (call.operation() == Operation.ACQUIRE && scene.sent(Operation.ACQUIRE) == 2) {
            return Fate.requestLost(); // it comes below
          }
          if (call.operation() == Operation.RELEASE && scene.sent(Operation.RELEASE) == 2) {
            at("SET", LOCK, "c:1", "IFEQ", "+c:1", "PX", "10000");
          }
          return Fate.after(Scene.WAY);
        };
    CompletableFuture<AcquireResult> call = store.acquire(request(ONE)).toCompletableFuture();
    scene.run(100);
    call.cancel(true);
    is(release(ONE), ReleaseResult.RELEASED);
    is(at("EXISTS", LOCK), 0L);
  }

  void renewalRequiresTheToken() {
    acquire(ONE);
    is(renew(TWO, LEASE.multipliedBy(2)), RenewResult.NOT_OWNER);
    lasts(LOCK, LEASE.toMillis());
    is(renew(ONE, LEASE.multipliedBy(2)), RenewResult.RENEWED);
    lasts(LOCK, 2 * LEASE.toMillis());
    release(ONE);
    is(renew(ONE, LEASE.multipliedBy(3)), RenewResult.NOT_OWNER);
    is(at("EXISTS", LOCK), 0L);
  }

  void renewalDoesNotShortenTheLease() {
    acquire(ONE);
    is(renew(ONE, Duration.ofSeconds(1)), RenewResult.RENEWED);
    lasts(LOCK, LEASE.toMillis());
  }

  void tombstoneLastsForTheRest() {
    acquire(ONE);
    is(scene.world.await(store.keep(TWO, LEASE)), ReleaseResult.NOT_OWNER);
    is(scene.world.await(store.keep(ONE, Duration.ofSeconds(4))), ReleaseResult.KEPT);
    is(at("GET", LOCK), "-c:1");
    lasts(LOCK, 4000);
    is(scene.world.await(store.keep(ONE, LEASE)), ReleaseResult.KEPT);
    lasts(LOCK, 4000);
    check(acquire(request(ONE)) instanceof Held, "granted to its own token");
    is(release(ONE), ReleaseResult.NOT_OWNER);
  }

  void tombstoneDoesNotOutliveTheLease() {
    acquire(ONE);
    is(scene.world.await(store.keep(ONE, LEASE.multipliedBy(2))), ReleaseResult.KEPT);
    lasts(LOCK, LEASE.toMillis());
  }

  // ---- beside clients with scripts ----

  void clientsWithAndWithoutScriptsExcludeEachOther() {
    LeaseStore scripts = scripts();
    long fence = acquire(ONE);
    check(scene.world.await(scripts.acquire(request(TWO))) instanceof Held, "both hold it");
    release(ONE);
    long next = fence(scene.world.await(scripts.acquire(request(TWO))));
    check(next > fence, "no larger fence");
    check(acquire(request(ONE)) instanceof Held, "both hold it");
    is(scene.world.await(store.inspect("a")).orElseThrow().token(), "c:2");
    scene.world.await(scripts.release(TWO));
    check(acquire(ONE) > next, "no larger fence");
  }

  void reservationOfAWaiterIsRespected() {
    at("SET", LOCK, "+d:3", "PX", "500");
    check(acquire(request(ONE)) instanceof Held, "granted");
    is(scene.world.await(store.inspect("a")), Optional.empty());
  }

  void inspectionReturnsTheHolder() {
    is(scene.world.await(store.inspect("a")), Optional.empty());
    long fence = acquire(ONE);
    var seen = scene.world.await(store.inspect("a")).orElseThrow();
    is(seen.token(), "c:1");
    is(seen.fence().orElseThrow(), fence);
    at("SET", LOCK, "d:4.!", "PX", "500");
    is(scene.world.await(store.inspect("a")).orElseThrow().token(), "d:4.");
  }

  void errorOfOneCommandFailsTheCall() {
    at("RPUSH", LOCK, "x");
    String failure = failure(store.keep(ONE, LEASE));
    check(failure.contains("WRONGTYPE"), failure);
  }
}
