package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.worker.Contenders;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Leases that a process keeps for a while after a release. */
final class LingerRules {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Duration SHORT = TimeScale.millis(200);
  private static final Duration CONTENTION = TimeScale.millis(400);
  private static final Duration LEASE = TimeScale.seconds(3);
  private static final int TIMES = 50;

  /** A manager whose leases linger. */
  private static LockManager lingering(Bench bench, Duration time) {
    return bench.site().open(builder -> builder.linger(time));
  }

  private static LockManager lingering(Bench bench, Faults faults, Duration time) {
    return bench.site().open(faults, builder -> builder.linger(time));
  }

  /** Leaves an idle lease behind; the first lease of a manager may be too early to be kept. */
  private static void leaveIdle(LockManager manager, String name) throws Exception {
    DistributedLock lock = manager.lock(name);
    Await.until(
        "a released lease is kept",
        () -> {
          lock.acquire().release();
          return lock.inspect().isPresent();
        });
  }

  // ---- ST-1 ----

  @Rule(value = "ST-1", shows = "threads and managers contend")
  void noOverlap(Bench bench) throws Exception {
    List<LockManager> managers =
        List.of(lingering(bench, SHORT), lingering(bench, SHORT), bench.site().open());
    LockOptions options = LockOptions.builder().automaticLease(LEASE).build();
    History history = Contenders.run(managers, bench.name(), options, 2, CONTENTION);
    ExclusionRules.checkHistory(history, 2 * managers.size());
  }

  @Rule(value = "ST-1", shows = "a lease taken again while it is recalled", needs = Need.STORE)
  void takenAgainWhileRecalled(Bench bench) throws Exception {
    String name = bench.name();
    LockManager keeper = lingering(bench, LONG);
    leaveIdle(keeper, name);
    Lease again = keeper.lock(name).acquire();
    CompletableFuture<Lease> waiting =
        bench.site().open().lock(name).acquireAsync().toCompletableFuture();
    Await.until("another waits", () -> keeper.lock(name).inspect().isPresent());
    Await.pass(SHORT);
    Check.safe(!waiting.isDone() && again.isValid(), "the one holder is the one that came first");
    again.release();
    Await.value(waiting).release();
  }

  // ---- ST-2 ----

  @Rule(value = "ST-2", shows = "a lost recall", needs = Need.STORE)
  void lostRecall(Bench bench) throws Exception {
    String name = bench.name();
    LockManager keeper = lingering(bench, TimeScale.seconds(1));
    Faults deaf = new Faults().every(Op.RECALL, StoreFault.callLost());
    LockManager other = bench.site().open(deaf);
    leaveIdle(keeper, name);
    Lease lease = Await.value(other.lock(name).acquireAsync());
    Check.that(lease.isValid(), "it gets the lock when the idle lease has had its time");
    Check.that(deaf.count(Op.RECALL) > 0, "it has recalled the lease");
    lease.release();
  }

  // ---- ST-3 ----

  @Rule(value = "ST-3", shows = "many times in a row", needs = Need.STORE, also = Guarantee.FENCING)
  void takenAgain(Bench bench) throws Exception {
    String name = bench.name();
    Faults calls = new Faults();
    LockManager keeper = lingering(bench, calls, LONG);
    leaveIdle(keeper, name);
    int before = calls.count(Op.ACQUIRE) + calls.count(Op.RELEASE);
    long last = -1;
    for (int i = 0; i < TIMES; i++) {
      Lease lease = keeper.lock(name).acquire();
      Check.that(lease.fencingToken() > last, "each hold has a larger token");
      last = lease.fencingToken();
      lease.release();
    }
    int after = calls.count(Op.ACQUIRE) + calls.count(Op.RELEASE);
    Check.equal(before, after, "calls to take it and to release it");
    Lease next = bench.site().open().lock(name).acquire();
    Check.that(next.fencingToken() > last, "so has the next holder elsewhere");
    next.release();
  }

  // ---- ST-4 ----

  @Rule(value = "ST-4", shows = "its time is up")
  void timeIsUp(Bench bench) throws Exception {
    String name = bench.name();
    LockManager keeper = lingering(bench, SHORT);
    leaveIdle(keeper, name);
    Await.until("it is free", () -> keeper.lock(name).inspect().isEmpty());
  }

  @Rule(value = "ST-4", shows = "the manager closes")
  void closed(Bench bench) throws Exception {
    String name = bench.name();
    LockManager keeper = lingering(bench, LONG);
    leaveIdle(keeper, name);
    keeper.close();
    LockManager other = bench.site().open();
    Await.until("it is free", () -> other.lock(name).inspect().isEmpty());
  }

  @Rule(value = "ST-4", shows = "a caller of the process that needs another lease")
  void anotherLease(Bench bench) throws Exception {
    String name = bench.name();
    LockManager keeper = lingering(bench, LONG);
    leaveIdle(keeper, name);
    Duration longer = Duration.ofMinutes(2);
    Lease lease = bench.fixed(keeper, name, longer).acquire();
    Check.atLeast(longer.dividedBy(2), lease.remaining(), "the rest of a longer lease");
    lease.release();
    Await.until("a fixed lease is not kept", () -> keeper.lock(name).inspect().isEmpty());
  }

  // ---- ST-5 ----

  @Rule(value = "ST-5", shows = "one lock", timed = true)
  void noWait(Bench bench) throws Exception {
    String name = bench.name();
    LockManager keeper = lingering(bench, LONG);
    leaveIdle(keeper, name);
    Lease lease =
        bench.site().open().lock(name).tryAcquire().orElseThrow(() -> idle("one attempt"));
    Check.that(keeper.lock(name).tryAcquire().isEmpty(), "a lock that is held is refused");
    lease.release();
  }

  @Rule(value = "ST-5", shows = "a short wait, many times")
  void shortWaits(Bench bench) throws Exception {
    String name = bench.name();
    LockManager keeper = lingering(bench, LONG);
    LockManager other = lingering(bench, LONG);
    for (int i = 0; i < TIMES; i++) {
      LockManager next = i % 2 == 0 ? other : keeper;
      next.lock(name).tryAcquire(LONG).orElseThrow(() -> idle("a wait")).release();
    }
  }

  @Rule(value = "ST-5", shows = "several locks at once", also = Guarantee.TOGETHER, timed = true)
  void severalLocks(Bench bench) throws Exception {
    String name = bench.name();
    LockManager keeper = lingering(bench, LONG);
    leaveIdle(keeper, name);
    Lease all =
        bench
            .site()
            .open()
            .all(name, bench.name())
            .tryAcquire()
            .orElseThrow(() -> idle("one attempt for two locks"));
    all.release();
    leaveIdle(keeper, name);
    Lease own = keeper.all(name, bench.name()).acquire();
    Check.that(own.fencingToken() > 0, "locks of several names have one token");
    own.release();
  }

  private static AssertionError idle(String what) {
    return new AssertionError(what + " ended empty, beside an unused lease");
  }

  // ---- ST-6 ----

  @Rule(value = "ST-6", shows = "renewals are counted", needs = Need.STORE, timed = true)
  void notRenewed(Bench bench) throws Exception {
    String name = bench.name();
    Faults calls = new Faults();
    LockManager keeper = lingering(bench, calls, LEASE.dividedBy(2));
    LockOptions options = LockOptions.builder().automaticLease(LEASE).build();
    leaveIdle(keeper, bench.name());
    DistributedLock lock = keeper.lock(name, options);
    lock.acquire().release();
    int before = calls.count(Op.RENEW);
    Await.pass(LEASE.multipliedBy(2).dividedBy(5)); // a renewal would have been due
    Check.equal(before, calls.count(Op.RENEW), "renewals of the idle lease");
    Lease again = lock.acquire();
    Await.until("it is renewed again", () -> calls.count(Op.RENEW) > before);
    Await.pass(LEASE);
    Check.that(again.isValid(), "it is valid for longer than one lease");
    again.release();
  }

  // ---- ST-7 ----

  @Rule(value = "ST-7", shows = "the answer to a renewal", needs = Need.STORE)
  void lateRenewal(Bench bench) throws Exception {
    String name = bench.name();
    Faults faults = new Faults();
    LockManager keeper = lingering(bench, faults, LONG);
    leaveIdle(keeper, bench.name());
    Gate answer = new Gate();
    LockOptions options = LockOptions.builder().automaticLease(Duration.ofSeconds(30)).build();
    DistributedLock lock = keeper.lock(name, options);
    Lease first = lock.acquire();
    faults.next(Op.RENEW, StoreFault.answerHeld(answer));
    CompletableFuture<Boolean> extended =
        bench.onThread(() -> first.extend(Duration.ofSeconds(31)));
    answer.awaitReached();
    CompletableFuture<Void> released = first.releaseAsync().toCompletableFuture();
    CompletableFuture<Lease> second = lock.acquireAsync().toCompletableFuture();
    answer.open();
    Lease again = Await.value(second);
    Await.until("the extension and the release end", () -> extended.isDone() && released.isDone());
    Check.that(again.isValid(), "the second hold is valid");
    Check.that(
        bench.site().open().lock(name).tryAcquire().isEmpty(),
        "and the store says that it is held");
    again.release();
  }
}
