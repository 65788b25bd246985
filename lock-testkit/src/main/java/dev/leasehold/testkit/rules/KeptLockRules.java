package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.MinimumHoldSteps.BRIEF;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.LONG;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.MINIMUM;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.brief;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.freeInTime;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.longest;
import static dev.leasehold.testkit.rules.MinimumHoldSteps.options;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** After the release: which request is granted the lock, and what the holder must do for it. */
final class KeptLockRules {
  // ---- AT-3 ----

  @Rule(value = "AT-3", shows = "all requests are refused", timed = true)
  void refused(Bench bench) throws Exception {
    String name = bench.name();
    LockManager manager = bench.site().open();
    DistributedLock job = manager.lock(name, options(LONG));
    DistributedLock rival = bench.site().open().lock(name);
    LockOwner named = LockOwner.named("job");
    long before = System.nanoTime();
    job.as(named).acquire().release();
    Check.that(job.as(named).tryAcquire().isEmpty(), "the same owner is refused");
    Check.that(!job.asLock().tryLock(), "the lock view refuses");
    Check.that(job.tryAcquire().isEmpty(), "another owner is refused");
    Check.that(rival.tryAcquire().isEmpty(), "another manager is refused");
    freeInTime(bench, job.as(named), before, "for the same owner");
  }

  // Catches a minimum hold kept under the token itself: a late request with that token would be
  // granted.
  @Rule(value = "AT-3", shows = "the released token is refused", needs = Need.STORE, timed = true)
  void tokenRefused(Bench bench) {
    LeaseStore store = bench.site().store();
    LeaseKey key = bench.key(bench.name());
    AcquireResult granted = bench.site().ask(store, key, LONG);
    Check.that(granted instanceof AcquireResult.Granted, "a free lock is granted: " + granted);
    Await.value(((MinimumHold) store).keep(key, MINIMUM));
    AcquireResult again = bench.site().ask(store, key, LONG);
    Check.that(again instanceof AcquireResult.Held, "the token is refused again: " + again);
    RenewResult renewal = Await.value(store.renew(List.of(new RenewRequest(key, LONG))).get(0));
    Check.equal(RenewResult.NOT_OWNER, renewal, "the answer to its renewal");
    Await.until(
        "the lock is free in the end", longest(bench), () -> isGranted(bench, store, key.name()));
  }

  private static boolean isGranted(Bench bench, LeaseStore store, String name) {
    try {
      return bench.site().ask(store, bench.key(name), BRIEF) instanceof AcquireResult.Granted;
    } catch (LockStoreException notInTime) {
      return false; // a quorum gives a request for a brief lease little time
    }
  }

  @Rule(value = "AT-3", shows = "waiters get the lock within a second of its end", timed = true)
  void waiters(Bench bench) throws Exception {
    String name = bench.name();
    LockManager manager = bench.site().open();
    DistributedLock job = manager.lock(name, options(LONG));
    long before = System.nanoTime();
    Lease lease = job.acquire();
    List<DistributedLock> others =
        List.of(manager.lock(name), bench.site().open().lock(name), bench.site().open().lock(name));
    List<CompletableFuture<Duration>> waits =
        others.stream()
            .map(
                lock ->
                    bench.onThread(
                        () -> {
                          Lease mine = lock.acquire();
                          Duration waited = Duration.ofNanos(System.nanoTime() - before);
                          mine.release();
                          return waited;
                        }))
            .toList();
    Await.pass(BRIEF);
    lease.release();
    for (CompletableFuture<Duration> wait : waits) {
      Duration waited = Await.value(wait);
      Check.safe(waited.compareTo(MINIMUM) >= 0, "a waiter waited so long, not " + waited);
      Check.atMost(longest(bench), waited, "how long a waiter waited");
    }
  }

  @Rule(
      value = "AT-3",
      shows = "no waiter is woken early",
      needs = Need.STORE,
      also = Guarantee.WAKE_UP,
      timed = true)
  void notWoken(Bench bench) throws Exception {
    String name = bench.name();
    LockManager manager = bench.site().open();
    LockOptions kept = LockOptions.builder().automaticLease(LONG).atLeast(LONG).build();
    Lease lease = manager.lock(name, kept).acquire();
    // Once subscribed it does not poll.
    LockOptions patient = LockOptions.builder().waitStrategy(WaitStrategy.every(LONG)).build();
    Faults faults = new Faults();
    DistributedLock waiting = bench.site().open(faults).lock(name, patient);
    CompletableFuture<Lease> waiter = waiting.acquireAsync().toCompletableFuture();
    Await.until("it listens", () -> faults.count(Op.ACQUIRE) > 1 && isQuiet(faults));
    int asked = faults.count(Op.ACQUIRE);
    lease.release();
    Await.pass(BRIEF);
    Check.equal(asked, faults.count(Op.ACQUIRE), "how often it asked");
    Check.that(!waiter.isDone(), "the lock is kept");
    waiter.cancel(true);
  }

  private static boolean isQuiet(Faults faults) {
    int before = faults.count();
    Await.pass(TimeScale.millis(100));
    return faults.count() == before;
  }

  @Rule(value = "AT-3", shows = "the next hold's token is larger", also = Guarantee.FENCING)
  void tokens(Bench bench) throws Exception {
    String name = bench.name();
    Lease lease = bench.site().open().lock(name, options(LONG)).acquire();
    lease.release();
    Lease next = bench.site().open().lock(name).tryAcquire(longest(bench)).orElseThrow();
    Check.that(
        next.fencingToken() > lease.fencingToken(),
        next.fencingToken() + " is larger than " + lease.fencingToken());
  }

  // ---- AT-4 ----

  @Rule(value = "AT-4", shows = "the lease ends at its release", needs = Need.STORE, timed = true)
  void leaseEnds(Bench bench) throws Exception {
    String name = bench.name();
    Faults faults = new Faults();
    LockManager manager = bench.site().open(faults);
    Lease lease = manager.lock(name, options(LONG)).acquire();
    long before = System.nanoTime();
    lease.release();
    Check.atMost(
        MINIMUM.dividedBy(2),
        Duration.ofNanos(System.nanoTime() - before),
        "how long a release takes");
    Check.that(!lease.isValid(), "the lease is not valid");
    Check.equal(0, lease.holdCount(), "its hold count");
    int calls = faults.count();
    lease.release();
    Await.pass(MINIMUM);
    Check.equal(calls, faults.count(), "calls to the store when the minimum is over");
    Check.that(!lease.lost().toCompletableFuture().isDone(), "no loss is signalled");
  }

  @Rule(value = "AT-4", shows = "closing keeps it")
  void closing(Bench bench) throws Exception {
    String released = bench.name();
    String held = bench.name();
    LockManager rival = bench.site().open();
    LockManager manager = bench.site().open();
    long before = System.nanoTime();
    manager.lock(released, options(LONG)).acquire().release();
    manager.lock(held, brief()).acquire();
    manager.close();
    CompletableFuture<Void> other =
        bench.onThread(
            () -> {
              freeInTime(bench, rival.lock(held), before, "held when its manager was closed");
              return null;
            });
    freeInTime(bench, rival.lock(released), before, "released before its manager was closed");
    Await.value(other);
  }

  @Rule(value = "AT-4", shows = "the outermost acquisition's counts")
  void nested(Bench bench) throws Exception {
    String name = bench.name();
    LockManager manager = bench.site().open();
    DistributedLock plain = manager.lock(name);
    DistributedLock job = manager.lock(name, options(LONG));
    DistributedLock rival = bench.site().open().lock(name);
    Lease outer = plain.acquire();
    Lease inner = job.acquire();
    inner.release();
    outer.release();
    Check.that(rival.tryAcquire().map(this::released).isPresent(), "the outer one has no minimum");
    long before = System.nanoTime();
    outer = job.acquire();
    inner = plain.acquire();
    inner.release();
    Check.that(outer.isValid(), "the outer lease is valid");
    outer.release();
    freeInTime(bench, rival, before, "by the outer one's minimum");
  }

  private Lease released(Lease lease) {
    lease.release();
    return lease;
  }
}
