package dev.leasehold.redlock;

import static dev.leasehold.redlock.CommandScene.COMMAND_TIMEOUT;
import static dev.leasehold.redlock.CommandScene.DAY_AND_HOUR;
import static dev.leasehold.redlock.CommandScene.FENCE;
import static dev.leasehold.redlock.CommandScene.LEASE;
import static dev.leasehold.redlock.CommandScene.LOCK;
import static dev.leasehold.redlock.CommandScene.ONE;
import static dev.leasehold.redlock.CommandScene.TWO;
import static dev.leasehold.redlock.CommandScene.fence;
import static dev.leasehold.redlock.CommandScene.request;
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
 * The store without scripts, each operation by single commands. Static methods without parameters;
 * each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class CommandStories {
  private CommandStories() {}

  // ---- acquire ----

  static void grantStoresTokenAndFence() {
    CommandScene s = new CommandScene();
    long fence = s.acquire(ONE);
    is(s.at("GET", LOCK), "c:1");
    s.lasts(LOCK, LEASE.toMillis());
    is(s.at("GET", FENCE), fence + "+0"); // a first fence has the mark
    s.lasts(FENCE, DAY_AND_HOUR);
    is(s.scene.sent(Operation.ACQUIRE), 2L);
  }

  static void refusalWritesNothing() {
    CommandScene s = new CommandScene();
    long fence = s.acquire(ONE);
    AcquireRequest other = request(TWO);
    for (AcquireRequest each : List.of(other, other.withWaited(Duration.ofSeconds(1)))) {
      Held held = (Held) s.acquire(each);
      long left = held.retryAfter().toMillis();
      check(left > 9_900 && left <= 10_000, "held for " + left);
      is(s.at("GET", LOCK), "c:1");
      is(s.at("GET", FENCE), fence + "+0");
    }
  }

  static void waiterIsGranted() {
    CommandScene s = new CommandScene();
    long fence = s.acquire(ONE);
    is(s.release(ONE), ReleaseResult.RELEASED);
    check(fence(s.acquire(request(TWO).withWaited(Duration.ofSeconds(1)))) > fence, "no larger");
    is(s.at("GET", LOCK), "c:2");
  }

  static void lockWithoutExpiryIsRetriedAfterASecond() {
    CommandScene s = new CommandScene();
    s.at("SET", LOCK, "another");
    is(((Held) s.acquire(request(ONE))).retryAfter(), Held.ENDLESS);
  }

  static void fencesIncreaseWhileTheClockIsSetBack() {
    CommandScene s = new CommandScene();
    long fence = s.acquire(ONE);
    s.release(ONE);
    s.scene.servers.get(0).node().stepWallClock(Duration.ofHours(-1));
    is(s.acquire(TWO), fence + 1);
  }

  static void fencesFollowTheClock() {
    CommandScene s = new CommandScene();
    long fence = s.acquire(ONE);
    s.release(ONE);
    s.at("DEL", FENCE);
    s.scene.run(1000);
    check(s.acquire(TWO) >= fence + 1_000_000, "behind the clock");
  }

  static void reservedNumbersAreStoredAndReturned() {
    CommandScene s = new CommandScene();
    Granted granted = (Granted) s.acquire(request(ONE).withHandOvers(100));
    long fence = granted.fence().orElseThrow();
    is(granted.handOvers(), 100);
    is(s.at("GET", FENCE), fence + "+0100");
    s.scene.world.await(s.store.release(ONE, new FenceRun(fence, fence + 100)));
    is(s.at("GET", FENCE), fence + "+0");
    is(s.at("EXISTS", LOCK), 0L);
    s.at("SET", FENCE, Long.toString(fence));
    fence = fence(s.acquire(request(ONE).withHandOvers(100)));
    is(s.at("GET", FENCE), fence + "+100");
    s.scene.world.await(s.store.release(ONE, new FenceRun(fence, fence + 100)));
    is(s.at("GET", FENCE), Long.toString(fence));
  }

  static void markOfTheFenceIsKept() {
    CommandScene s = new CommandScene();
    s.at("SET", FENCE, "5+07");
    is(s.at("GET", FENCE), "5+07");
    long fence = fence(s.acquire(request(ONE).withHandOvers(3)));
    is(s.at("GET", FENCE), fence + "+03");
  }

  static void repeatedAcquisitionDrawsALargerFence() {
    CommandScene s = new CommandScene();
    long fence = s.acquire(ONE);
    s.at("PEXPIRE", LOCK, "50000");
    check(s.acquire(ONE) > fence, "the same fence");
    s.lasts(LOCK, 50_000);
  }

  static void otherFenceMeanwhileIsNotOverwritten() {
    CommandScene s = new CommandScene();
    long later = s.acquire(ONE) + 1_000_000_000;
    s.release(ONE);
    s.before(2, () -> s.at("SET", FENCE, Long.toString(later)));
    is(s.acquire(TWO), later + 1);
    is(s.at("GET", FENCE), Long.toString(later + 1));
  }

  static void tokenReleasedBeforeItCameIsStillRefused() {
    CommandScene s = new CommandScene();
    LeaseStore scripts = s.scripts();
    // As a release leaves them where there is no fence yet.
    s.at("SET", LOCK + ":gone:c:2", "", "PX", "3600000");
    s.at("SET", LOCK + ":gone", "", "PX", "3600000");
    s.acquire(ONE);
    s.release(ONE);
    String failure = s.failure(scripts.acquire(request(TWO)));
    check(failure.contains("released before"), failure);
    is(s.at("EXISTS", LOCK), 0L);
  }

  static void firstFenceMeanwhileIsNotOverwritten() {
    CommandScene s = new CommandScene();
    s.before(2, () -> s.at("SET", FENCE, "9000000000000000"));
    is(s.acquire(TWO), 9_000_000_000_000_001L);
  }

  static void reservationThatExpiredIsNotGranted() {
    CommandScene s = new CommandScene();
    s.before(2, () -> s.at("SET", LOCK, "another", "PX", "5000"));
    check(s.acquire(request(ONE)) instanceof Held, "granted");
    is(s.at("GET", LOCK), "another");
  }

  static void freeLockIsAcquiredThoughItsReservationExpired() {
    CommandScene s = new CommandScene();
    s.before(2, () -> s.at("DEL", LOCK));
    s.acquire(ONE);
    is(s.at("GET", LOCK), "c:1");
  }

  static void keyOfAnotherTypeInPlaceOfTheFenceIsRefused() {
    CommandScene s = new CommandScene();
    s.at("RPUSH", FENCE, "x");
    String failure = s.failure(s.store.acquire(request(ONE)));
    check(failure.contains("WRONGTYPE"), failure);
    is(s.at("EXISTS", LOCK), 0L);
  }

  static void otherDataInPlaceOfTheFenceIsRefused() {
    CommandScene s = new CommandScene();
    for (String fence : List.of("nonsense", "9007199254740990")) {
      s.at("SET", FENCE, fence);
      String failure = s.failure(s.store.acquire(request(ONE)));
      check(failure.contains(fence), failure);
      is(s.at("EXISTS", LOCK), 0L);
      is(s.at("GET", FENCE), fence);
    }
  }

  static void lateRequestReservesForTheCommandTimeout() {
    CommandScene s = new CommandScene();
    Duration late = Duration.ofSeconds(20);
    s.scene.plan =
        call ->
            call.operation() == Operation.ACQUIRE && s.scene.sent(Operation.ACQUIRE) == 1
                ? Fate.repeated(Scene.WAY, late, Scene.WAY)
                : Fate.after(Scene.WAY);
    s.acquire(ONE);
    is(s.release(ONE), ReleaseResult.RELEASED);
    s.scene.run(late.toMillis());
    is(s.at("GET", LOCK), "+c:1");
    s.lasts(LOCK, COMMAND_TIMEOUT);
    check(s.acquire(request(TWO)) instanceof Held, "granted to another meanwhile");
  }

  // ---- release, renew and keep ----

  static void releaseRequiresTheToken() {
    CommandScene s = new CommandScene();
    s.acquire(ONE);
    is(s.release(TWO), ReleaseResult.NOT_OWNER);
    is(s.at("GET", LOCK), "c:1");
    is(s.release(ONE), ReleaseResult.RELEASED);
    is(s.release(ONE), ReleaseResult.NOT_OWNER);
  }

  static void reservationIsReleased() {
    CommandScene s = new CommandScene();
    s.scene.plan =
        call -> s.scene.sent(Operation.ACQUIRE) == 2 ? Fate.requestLost() : Fate.after(Scene.WAY);
    CompletableFuture<AcquireResult> call = s.store.acquire(request(ONE)).toCompletableFuture();
    s.scene.run(100);
    is(s.at("GET", LOCK), "+c:1");
    call.cancel(true);
    s.scene.plan = any -> Fate.after(Scene.WAY);
    is(s.release(ONE), ReleaseResult.RELEASED);
    is(s.at("EXISTS", LOCK), 0L);
  }

  static void lateConfirmationDuringAReleaseIsReleased() {
    CommandScene s = new CommandScene();
    s.scene.plan =
        call -> {
          if (call.operation() == Operation.ACQUIRE && s.scene.sent(Operation.ACQUIRE) == 2) {
            return Fate.requestLost(); // it comes below
          }
          if (call.operation() == Operation.RELEASE && s.scene.sent(Operation.RELEASE) == 2) {
            s.at("SET", LOCK, "c:1", "IFEQ", "+c:1", "PX", "10000");
          }
          return Fate.after(Scene.WAY);
        };
    CompletableFuture<AcquireResult> call = s.store.acquire(request(ONE)).toCompletableFuture();
    s.scene.run(100);
    call.cancel(true);
    is(s.release(ONE), ReleaseResult.RELEASED);
    is(s.at("EXISTS", LOCK), 0L);
  }

  static void renewalRequiresTheToken() {
    CommandScene s = new CommandScene();
    s.acquire(ONE);
    is(s.renew(TWO, LEASE.multipliedBy(2)), RenewResult.NOT_OWNER);
    s.lasts(LOCK, LEASE.toMillis());
    is(s.renew(ONE, LEASE.multipliedBy(2)), RenewResult.RENEWED);
    s.lasts(LOCK, 2 * LEASE.toMillis());
    s.release(ONE);
    is(s.renew(ONE, LEASE.multipliedBy(3)), RenewResult.NOT_OWNER);
    is(s.at("EXISTS", LOCK), 0L);
  }

  static void renewalDoesNotShortenTheLease() {
    CommandScene s = new CommandScene();
    s.acquire(ONE);
    is(s.renew(ONE, Duration.ofSeconds(1)), RenewResult.RENEWED);
    s.lasts(LOCK, LEASE.toMillis());
  }

  static void tombstoneLastsForTheRest() {
    CommandScene s = new CommandScene();
    s.acquire(ONE);
    is(s.scene.world.await(s.store.keep(TWO, LEASE)), ReleaseResult.NOT_OWNER);
    is(s.scene.world.await(s.store.keep(ONE, Duration.ofSeconds(4))), ReleaseResult.KEPT);
    is(s.at("GET", LOCK), "-c:1");
    s.lasts(LOCK, 4000);
    is(s.scene.world.await(s.store.keep(ONE, LEASE)), ReleaseResult.KEPT);
    s.lasts(LOCK, 4000);
    check(s.acquire(request(ONE)) instanceof Held, "granted to its own token");
    is(s.release(ONE), ReleaseResult.NOT_OWNER);
  }

  static void tombstoneDoesNotOutliveTheLease() {
    CommandScene s = new CommandScene();
    s.acquire(ONE);
    is(s.scene.world.await(s.store.keep(ONE, LEASE.multipliedBy(2))), ReleaseResult.KEPT);
    s.lasts(LOCK, LEASE.toMillis());
  }

  // ---- beside clients with scripts ----

  static void clientsWithAndWithoutScriptsExcludeEachOther() {
    CommandScene s = new CommandScene();
    LeaseStore scripts = s.scripts();
    long fence = s.acquire(ONE);
    check(s.scene.world.await(scripts.acquire(request(TWO))) instanceof Held, "both hold it");
    s.release(ONE);
    long next = fence(s.scene.world.await(scripts.acquire(request(TWO))));
    check(next > fence, "no larger fence");
    check(s.acquire(request(ONE)) instanceof Held, "both hold it");
    is(s.scene.world.await(s.store.inspect("a")).orElseThrow().token(), "c:2");
    s.scene.world.await(scripts.release(TWO));
    check(s.acquire(ONE) > next, "no larger fence");
  }

  static void reservationOfAWaiterIsRespected() {
    CommandScene s = new CommandScene();
    s.at("SET", LOCK, "+d:3", "PX", "500");
    check(s.acquire(request(ONE)) instanceof Held, "granted");
    is(s.scene.world.await(s.store.inspect("a")), Optional.empty());
  }

  static void inspectionReturnsTheHolder() {
    CommandScene s = new CommandScene();
    is(s.scene.world.await(s.store.inspect("a")), Optional.empty());
    long fence = s.acquire(ONE);
    var seen = s.scene.world.await(s.store.inspect("a")).orElseThrow();
    is(seen.token(), "c:1");
    is(seen.fence().orElseThrow(), fence);
    s.at("SET", LOCK, "d:4.!", "PX", "500");
    is(s.scene.world.await(s.store.inspect("a")).orElseThrow().token(), "d:4.");
  }

  static void errorOfOneCommandFailsTheCall() {
    CommandScene s = new CommandScene();
    s.at("RPUSH", LOCK, "x");
    String failure = s.failure(s.store.keep(ONE, LEASE));
    check(failure.contains("WRONGTYPE"), failure);
  }
}
