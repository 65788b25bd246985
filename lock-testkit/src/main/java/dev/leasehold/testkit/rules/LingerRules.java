package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
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
final class LingerRules extends Steps {
  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final Duration SHORT = TimeScale.millis(200);
  private static final Duration CONTENTION = TimeScale.millis(400);
  private static final Duration LEASE = TimeScale.seconds(3);
  private static final int TIMES = 50;

  /** A manager whose leases linger. */
  private LockManager lingering(Duration time) {
    return open(builder -> builder.linger(time));
  }

  private LockManager lingering(Faults faults, Duration time) {
    return open(faults, builder -> builder.linger(time));
  }

  /** Leaves an idle lease behind; the first lease of a manager may be too early to be kept. */
  private static void leaveIdle(LockManager manager, String lockName) throws Exception {
    DistributedLock lock = manager.lock(lockName);
    Await.until(
        "a released lease is kept",
        () -> {
          lock.acquire().release();
          return lock.inspect().isPresent();
        });
  }

  // ---- ST-1 ----

  @Rule(value = "ST-1", shows = "threads and managers contend")
  void noOverlap() throws Exception {
    List<LockManager> managers = List.of(lingering(SHORT), lingering(SHORT), open());
    LockOptions options = renewed(LEASE);
    History history = Contenders.run(managers, freshName(), options, 2, CONTENTION);
    ExclusionRules.checkHistory(history, 2 * managers.size());
  }

  @Rule(value = "ST-1", shows = "a lease taken again while it is recalled", needs = Need.STORE)
  void takenAgainWhileRecalled() throws Exception {
    LockManager keeper = lingering(IDLE);
    leaveIdle(keeper, name);
    Lease again = keeper.lock(name).acquire();
    CompletableFuture<Lease> waiting = asking(lock());
    Await.until("another waits", () -> keeper.lock(name).inspect().isPresent());
    Await.pass(SHORT);
    Check.safe(!waiting.isDone() && again.isValid(), "the one holder is the one that came first");
    again.release();
    Await.value(waiting).release();
  }

  // ---- ST-2 ----

  @Rule(value = "ST-2", shows = "a lost recall", needs = Need.STORE)
  void lostRecall() throws Exception {
    LockManager keeper = lingering(TimeScale.seconds(1));
    Faults deaf = new Faults().every(Op.RECALL, StoreFault.callLost());
    LockManager other = open(deaf);
    untilOneCounts(
        3,
        "no idle lease was recalled",
        () -> {
          nextName();
          leaveIdle(keeper, name);
          Lease lease = Await.value(other.lock(name).acquireAsync());
          Check.that(lease.isValid(), "it gets the lock when the idle lease has had its time");
          lease.release();
          return deaf.count(Op.RECALL) > 0; // not if the machine paused for as long
        });
  }

  // ---- ST-3 ----

  @Rule(value = "ST-3", shows = "many times in a row", needs = Need.STORE, also = Guarantee.FENCING)
  void takenAgain() throws Exception {
    Faults calls = new Faults();
    LockManager keeper = lingering(calls, IDLE);
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
    Lease next = lock().acquire();
    Check.that(next.fencingToken() > last, "so has the next holder elsewhere");
    next.release();
  }

  // ---- ST-4 ----

  @Rule(value = "ST-4", shows = "its time is up")
  void timeIsUp() throws Exception {
    LockManager keeper = lingering(SHORT);
    leaveIdle(keeper, name);
    Await.until("it is free", () -> keeper.lock(name).inspect().isEmpty());
  }

  @Rule(value = "ST-4", shows = "the manager closes")
  void closed() throws Exception {
    LockManager keeper = lingering(IDLE);
    leaveIdle(keeper, name);
    keeper.close();
    LockManager other = open();
    Await.until("it is free", () -> other.lock(name).inspect().isEmpty());
  }

  @Rule(value = "ST-4", shows = "a caller of the process that needs another lease")
  void anotherLease() throws Exception {
    LockManager keeper = lingering(IDLE);
    leaveIdle(keeper, name);
    Duration longer = Duration.ofMinutes(2);
    Lease lease = fixed(keeper, name, longer).acquire();
    Check.atLeast(longer.dividedBy(2), lease.remaining(), "the rest of a longer lease");
    lease.release();
    Await.until("a fixed lease is not kept", () -> keeper.lock(name).inspect().isEmpty());
  }

  // ---- ST-5 ----

  @Rule(value = "ST-5", shows = "one lock", timed = true)
  void noWait() throws Exception {
    LockManager keeper = lingering(IDLE);
    leaveIdle(keeper, name);
    Lease lease = lock().tryAcquire().orElseThrow(() -> idle("one attempt"));
    Check.that(keeper.lock(name).tryAcquire().isEmpty(), "a lock that is held is refused");
    lease.release();
  }

  @Rule(value = "ST-5", shows = "a short wait, many times")
  void shortWaits() throws Exception {
    LockManager keeper = lingering(IDLE);
    LockManager other = lingering(IDLE);
    for (int i = 0; i < TIMES; i++) {
      LockManager next = i % 2 == 0 ? other : keeper;
      next.lock(name).tryAcquire(IDLE).orElseThrow(() -> idle("a wait")).release();
    }
  }

  @Rule(value = "ST-5", shows = "several locks at once", also = Guarantee.TOGETHER, timed = true)
  void severalLocks() throws Exception {
    LockManager keeper = lingering(IDLE);
    leaveIdle(keeper, name);
    Lease all =
        open()
            .all(name, freshName())
            .tryAcquire()
            .orElseThrow(() -> idle("one attempt for two locks"));
    all.release();
    leaveIdle(keeper, name);
    Lease own = keeper.all(name, freshName()).acquire();
    Check.that(own.fencingToken() > 0, "locks of several names have one token");
    own.release();
  }

  private static AssertionError idle(String what) {
    return new AssertionError(what + " ended empty, beside an unused lease");
  }

  // ---- ST-6 ----

  @Rule(value = "ST-6", shows = "renewals are counted", needs = Need.STORE, timed = true)
  void notRenewed() throws Exception {
    Faults calls = new Faults();
    LockManager keeper = lingering(calls, LEASE.dividedBy(2));
    LockOptions options = renewed(LEASE);
    leaveIdle(keeper, freshName());
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
  void lateRenewal() throws Exception {
    Faults faults = new Faults();
    LockManager keeper = lingering(faults, IDLE);
    leaveIdle(keeper, freshName());
    Gate answer = new Gate();
    LockOptions options = renewed(Duration.ofSeconds(30));
    DistributedLock lock = keeper.lock(name, options);
    Lease first = lock.acquire();
    faults.next(Op.RENEW, StoreFault.answerHeld(answer));
    CompletableFuture<Boolean> extended = onThread(() -> first.extend(Duration.ofSeconds(31)));
    answer.awaitReached();
    CompletableFuture<Void> released = first.releaseAsync().toCompletableFuture();
    CompletableFuture<Lease> second = asking(lock);
    answer.open();
    Lease again = Await.value(second);
    Await.until("the extension and the release end", () -> extended.isDone() && released.isDone());
    Check.that(again.isValid(), "the second hold is valid");
    Check.that(lock().tryAcquire().isEmpty(), "and the store says that it is held");
    again.release();
  }
}
