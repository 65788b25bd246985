package dev.leasehold.testkit.rules;

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
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** After the release: which request is granted the lock, and what the holder must do for it. */
final class KeptLockRules extends MinimumHoldSteps {
  // ---- AT-3 ----

  @Rule(value = "AT-3", shows = "all requests are refused", timed = true)
  void refused() throws Exception {
    LockManager manager = open();
    DistributedLock job = manager.lock(name, options(LONG));
    DistributedLock rival = lock();
    LockOwner named = LockOwner.unique("job");
    long before = System.nanoTime();
    job.as(named).acquire().release();
    Check.that(job.as(named).tryAcquire().isEmpty(), "the same owner is refused");
    Check.that(!job.asLock().tryLock(), "the lock view refuses");
    Check.that(job.tryAcquire().isEmpty(), "another owner is refused");
    Check.that(rival.tryAcquire().isEmpty(), "another manager is refused");
    freeInTime(job.as(named), before, "for the same owner");
  }

  // Catches a minimum hold kept under the token itself: a late request with that token would be
  // granted.
  @Rule(value = "AT-3", shows = "the released token is refused", needs = Need.STORE, timed = true)
  void tokenRefused() {
    LeaseStore store = store();
    LeaseKey key = key(name);
    hold(store, key, LONG);
    Await.value(((MinimumHold) store).keep(key, MINIMUM));
    AcquireResult again = ask(store, key, LONG);
    Check.that(again instanceof AcquireResult.Held, "the token is refused again: " + again);
    Check.equal(RenewResult.NOT_OWNER, renew(store, key, LONG), "the answer to its renewal");
    Await.until("the lock is free in the end", longest(), () -> isGranted(store));
  }

  private boolean isGranted(LeaseStore store) {
    try {
      return ask(store, key(name), BRIEF) instanceof AcquireResult.Granted;
    } catch (LockStoreException notInTime) {
      return false; // a quorum gives a request for a brief lease little time
    }
  }

  @Rule(value = "AT-3", shows = "waiters get the lock within a second of its end", timed = true)
  void waiters() throws Exception {
    LockManager manager = open();
    long before = System.nanoTime();
    Lease lease = manager.lock(name, options(LONG)).acquire();
    List<CompletableFuture<Duration>> waits =
        Stream.of(manager.lock(name), lock(), lock())
            .map(lock -> onThread(() -> untilGranted(lock, before)))
            .toList();
    Await.pass(BRIEF);
    lease.release();
    for (CompletableFuture<Duration> wait : waits) {
      Duration waited = Await.value(wait);
      Check.safe(waited.compareTo(MINIMUM) >= 0, "a waiter waited so long, not " + waited);
      Check.atMost(longest(), waited, "how long a waiter waited");
    }
  }

  private static Duration untilGranted(DistributedLock lock, long begun) throws Exception {
    try (Lease mine = lock.acquire()) {
      Check.that(mine.isValid(), "a new lease is valid");
      return since(begun);
    }
  }

  @Rule(
      value = "AT-3",
      shows = "no waiter is woken early",
      needs = Need.STORE,
      also = Guarantee.WAKE_UP,
      timed = true)
  void notWoken() throws Exception {
    LockOptions kept = LockOptions.builder().automaticLease(LONG).atLeast(LONG).build();
    Lease lease = open().lock(name, kept).acquire();
    // Once subscribed it does not poll.
    LockOptions patient = LockOptions.builder().waitStrategy(WaitStrategy.every(LONG)).build();
    Faults faults = new Faults();
    CompletableFuture<Lease> waiter = asking(open(faults).lock(name, patient));
    Await.until("it listens", () -> faults.count(Op.ACQUIRE) > 1 && isQuiet(faults));
    int asked = faults.count(Op.ACQUIRE);
    lease.release();
    Await.pass(BRIEF);
    Check.equal(asked, faults.count(Op.ACQUIRE), "how often it asked");
    Check.that(!waiter.isDone(), "the lock is kept");
    waiter.cancel(true);
  }

  @Rule(value = "AT-3", shows = "the next hold's token is larger", also = Guarantee.FENCING)
  void tokens() throws Exception {
    Lease lease = open().lock(name, options(LONG)).acquire();
    lease.release();
    Lease next = lock().tryAcquire(longest()).orElseThrow();
    Check.that(
        next.fencingToken() > lease.fencingToken(),
        next.fencingToken() + " is larger than " + lease.fencingToken());
  }

  // ---- AT-4 ----

  @Rule(value = "AT-4", shows = "the lease ends at its release", needs = Need.STORE, timed = true)
  void leaseEnds() throws Exception {
    Faults faults = new Faults();
    Lease lease = open(faults).lock(name, options(LONG)).acquire();
    Check.atMost(MINIMUM.dividedBy(2), took(lease::release), "how long a release takes");
    Check.that(!lease.isValid(), "the lease is not valid");
    Check.equal(0, lease.holdCount(), "its hold count");
    int calls = faults.count();
    lease.release();
    Await.pass(MINIMUM);
    Check.equal(calls, faults.count(), "calls to the store when the minimum is over");
    Check.that(!lease.lost().toCompletableFuture().isDone(), "no loss is signalled");
  }

  @Rule(value = "AT-4", shows = "closing keeps it")
  void closing() throws Exception {
    String released = freshName();
    String held = freshName();
    LockManager rival = open();
    LockManager manager = open();
    long before = System.nanoTime();
    manager.lock(released, options(LONG)).acquire().release();
    manager.lock(held, brief()).acquire();
    manager.close();
    CompletableFuture<Void> other =
        beside(() -> freeInTime(rival.lock(held), before, "held when its manager was closed"));
    freeInTime(rival.lock(released), before, "released before its manager was closed");
    Await.value(other);
  }

  @Rule(value = "AT-4", shows = "the outermost acquisition's counts")
  void nested() throws Exception {
    LockManager manager = open();
    DistributedLock plain = manager.lock(name);
    DistributedLock job = manager.lock(name, options(LONG));
    DistributedLock rival = lock();
    Lease outer = plain.acquire();
    job.acquire().release();
    outer.release();
    taken(rival.tryAcquire(), "the outer one has no minimum");
    long before = System.nanoTime();
    outer = job.acquire();
    plain.acquire().release();
    Check.that(outer.isValid(), "the outer lease is valid");
    outer.release();
    freeInTime(rival, before, "by the outer one's minimum");
  }
}
