package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimNode;
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
  private static final LeaseKey ONE = new LeaseKey("a", "c:1");
  private static final LeaseKey TWO = new LeaseKey("a", "c:2");
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final String LOCK = "lh:{a}";
  private static final String FENCE = LOCK + ":fence";
  private static final long DAY_AND_HOUR = 90_000_000;

  /** As in {@link DirectStore#context}. */
  private static final long COMMAND_TIMEOUT = 2000;

  private final Scene scene = new Scene(1);
  private final MinimumHold store;

  private CommandStories() {
    SimNode node = scene.world.node("c");
    store = scene.servers.get(0).commandStore(node, scene);
    store.start(DirectStore.context(node));
  }

  private Object at(String... words) {
    return scene.at(0, words);
  }

  /** The key's time to live, which began a message's way ago at most. */
  private void lasts(String key, long millis) {
    long left = (Long) at("PTTL", key);
    check(left > millis - 20 && left <= millis, key + " lasts for " + left + " ms");
  }

  private static AcquireRequest request(LeaseKey lease) {
    return new AcquireRequest(lease, LEASE, IfHeld.REFUSE);
  }

  private AcquireResult acquire(AcquireRequest request) {
    return scene.world.await(store.acquire(request));
  }

  private long acquire(LeaseKey lease) {
    return fence(acquire(request(lease)));
  }

  private static long fence(AcquireResult result) {
    if (result instanceof Granted granted) {
      return granted.fence().orElseThrow();
    }
    throw new AssertionError("refused: " + result);
  }

  private ReleaseResult release(LeaseKey lease) {
    return scene.world.await(store.release(lease));
  }

  private RenewResult renew(LeaseKey lease, Duration ttl) {
    return scene.world.await(store.renew(List.of(new RenewRequest(lease, ttl))).get(0));
  }

  /** Does this before the n-th message of acquisitions from now on arrives. */
  private void before(int n, Runnable action) {
    long sent = scene.sent(Operation.ACQUIRE);
    scene.plan =
        call -> {
          if (call.operation() == Operation.ACQUIRE && scene.sent(Operation.ACQUIRE) - sent == n) {
            action.run();
          }
          return Fate.after(Scene.WAY);
        };
  }

  // ---- acquire ----

  static void grantStoresTokenAndFence() {
    CommandStories s = new CommandStories();
    long fence = s.acquire(ONE);
    is(s.at("GET", LOCK), "c:1");
    s.lasts(LOCK, LEASE.toMillis());
    is(s.at("GET", FENCE), fence + "+0"); // a first fence has the mark
    s.lasts(FENCE, DAY_AND_HOUR);
    is(s.scene.sent(Operation.ACQUIRE), 2L);
  }

  static void refusalWritesNothing() {
    CommandStories s = new CommandStories();
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
    CommandStories s = new CommandStories();
    long fence = s.acquire(ONE);
    is(s.release(ONE), ReleaseResult.RELEASED);
    check(fence(s.acquire(request(TWO).withWaited(Duration.ofSeconds(1)))) > fence, "no larger");
    is(s.at("GET", LOCK), "c:2");
  }

  static void lockWithoutExpiryIsRetriedAfterASecond() {
    CommandStories s = new CommandStories();
    s.at("SET", LOCK, "another");
    is(((Held) s.acquire(request(ONE))).retryAfter(), Held.ENDLESS);
  }

  static void fencesIncreaseWhileTheClockIsSetBack() {
    CommandStories s = new CommandStories();
    long fence = s.acquire(ONE);
    s.release(ONE);
    s.scene.servers.get(0).node().stepWallClock(Duration.ofHours(-1));
    is(s.acquire(TWO), fence + 1);
  }

  static void fencesFollowTheClock() {
    CommandStories s = new CommandStories();
    long fence = s.acquire(ONE);
    s.release(ONE);
    s.at("DEL", FENCE);
    s.scene.run(1000);
    check(s.acquire(TWO) >= fence + 1_000_000, "behind the clock");
  }

  static void reservedNumbersAreStoredAndReturned() {
    CommandStories s = new CommandStories();
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
    CommandStories s = new CommandStories();
    s.at("SET", FENCE, "5+07");
    is(s.at("GET", FENCE), "5+07");
    long fence = fence(s.acquire(request(ONE).withHandOvers(3)));
    is(s.at("GET", FENCE), fence + "+03");
  }

  static void repeatedAcquisitionDrawsALargerFence() {
    CommandStories s = new CommandStories();
    long fence = s.acquire(ONE);
    s.at("PEXPIRE", LOCK, "50000");
    check(s.acquire(ONE) > fence, "the same fence");
    s.lasts(LOCK, 50_000);
  }

  static void otherFenceMeanwhileIsNotOverwritten() {
    CommandStories s = new CommandStories();
    long later = s.acquire(ONE) + 1_000_000_000;
    s.release(ONE);
    s.before(2, () -> s.at("SET", FENCE, Long.toString(later)));
    is(s.acquire(TWO), later + 1);
    is(s.at("GET", FENCE), Long.toString(later + 1));
  }

  static void tokenReleasedBeforeItCameIsStillRefused() {
    CommandStories s = new CommandStories();
    SimNode node = s.scene.world.node("d");
    LeaseStore scripts = s.scene.servers.get(0).store(node, s.scene);
    scripts.start(DirectStore.context(node));
    // As a release leaves them where there is no fence yet.
    s.at("SET", LOCK + ":gone:c:2", "", "PX", "3600000");
    s.at("SET", LOCK + ":gone", "", "PX", "3600000");
    s.acquire(ONE);
    s.release(ONE);
    CompletableFuture<AcquireResult> late = scripts.acquire(request(TWO)).toCompletableFuture();
    s.scene.run(100);
    Throwable failure = late.handle((done, thrown) -> thrown).join();
    check(String.valueOf(failure).contains("released before"), "" + failure);
    is(s.at("EXISTS", LOCK), 0L);
  }

  static void firstFenceMeanwhileIsNotOverwritten() {
    CommandStories s = new CommandStories();
    s.before(2, () -> s.at("SET", FENCE, "9000000000000000"));
    is(s.acquire(TWO), 9_000_000_000_000_001L);
  }

  static void reservationThatExpiredIsNotGranted() {
    CommandStories s = new CommandStories();
    s.before(2, () -> s.at("SET", LOCK, "another", "PX", "5000"));
    check(s.acquire(request(ONE)) instanceof Held, "granted");
    is(s.at("GET", LOCK), "another");
  }

  static void freeLockIsAcquiredThoughItsReservationExpired() {
    CommandStories s = new CommandStories();
    s.before(2, () -> s.at("DEL", LOCK));
    s.acquire(ONE);
    is(s.at("GET", LOCK), "c:1");
  }

  static void keyOfAnotherTypeInPlaceOfTheFenceIsRefused() {
    CommandStories s = new CommandStories();
    s.at("RPUSH", FENCE, "x");
    CompletableFuture<AcquireResult> call = s.store.acquire(request(ONE)).toCompletableFuture();
    s.scene.run(100);
    Throwable failure = call.handle((done, thrown) -> thrown).join();
    check(String.valueOf(failure).contains("WRONGTYPE"), "" + failure);
    is(s.at("EXISTS", LOCK), 0L);
  }

  static void otherDataInPlaceOfTheFenceIsRefused() {
    CommandStories s = new CommandStories();
    for (String fence : List.of("nonsense", "9007199254740990")) {
      s.at("SET", FENCE, fence);
      CompletableFuture<AcquireResult> call = s.store.acquire(request(ONE)).toCompletableFuture();
      s.scene.run(100);
      check(call.isCompletedExceptionally(), "granted");
      Throwable failure = call.handle((done, thrown) -> thrown).join();
      check(failure.toString().contains(fence), "" + failure);
      is(s.at("EXISTS", LOCK), 0L);
      is(s.at("GET", FENCE), fence);
    }
  }

  static void lateRequestReservesForTheCommandTimeout() {
    CommandStories s = new CommandStories();
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
    CommandStories s = new CommandStories();
    s.acquire(ONE);
    is(s.release(TWO), ReleaseResult.NOT_OWNER);
    is(s.at("GET", LOCK), "c:1");
    is(s.release(ONE), ReleaseResult.RELEASED);
    is(s.release(ONE), ReleaseResult.NOT_OWNER);
  }

  static void reservationIsReleased() {
    CommandStories s = new CommandStories();
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
    CommandStories s = new CommandStories();
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
    CommandStories s = new CommandStories();
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
    CommandStories s = new CommandStories();
    s.acquire(ONE);
    is(s.renew(ONE, Duration.ofSeconds(1)), RenewResult.RENEWED);
    s.lasts(LOCK, LEASE.toMillis());
  }

  static void tombstoneLastsForTheRest() {
    CommandStories s = new CommandStories();
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
    CommandStories s = new CommandStories();
    s.acquire(ONE);
    is(s.scene.world.await(s.store.keep(ONE, LEASE.multipliedBy(2))), ReleaseResult.KEPT);
    s.lasts(LOCK, LEASE.toMillis());
  }

  // ---- beside clients with scripts ----

  static void clientsWithAndWithoutScriptsExcludeEachOther() {
    CommandStories s = new CommandStories();
    SimNode node = s.scene.world.node("d");
    LeaseStore scripts = s.scene.servers.get(0).store(node, s.scene);
    scripts.start(DirectStore.context(node));
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
    CommandStories s = new CommandStories();
    s.at("SET", LOCK, "+d:3", "PX", "500");
    check(s.acquire(request(ONE)) instanceof Held, "granted");
    is(s.scene.world.await(s.store.inspect("a")), Optional.empty());
  }

  static void inspectionReturnsTheHolder() {
    CommandStories s = new CommandStories();
    is(s.scene.world.await(s.store.inspect("a")), Optional.empty());
    long fence = s.acquire(ONE);
    var seen = s.scene.world.await(s.store.inspect("a")).orElseThrow();
    is(seen.token(), "c:1");
    is(seen.fence().orElseThrow(), fence);
    s.at("SET", LOCK, "d:4.!", "PX", "500");
    is(s.scene.world.await(s.store.inspect("a")).orElseThrow().token(), "d:4.");
  }

  static void errorOfOneCommandFailsTheCall() {
    CommandStories s = new CommandStories();
    s.at("RPUSH", LOCK, "x");
    CompletableFuture<ReleaseResult> call = s.store.keep(ONE, LEASE).toCompletableFuture();
    s.scene.run(100);
    Throwable failure = call.handle((done, thrown) -> thrown).join();
    check(failure instanceof LockStoreException, "" + failure);
    check(failure.toString().contains("WRONGTYPE"), "" + failure);
  }
}
