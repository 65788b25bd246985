package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.view.ServerView.Entry;
import dev.leasehold.testkit.worker.Worker;
import dev.leasehold.testkit.worker.WorkerFailure;
import dev.leasehold.testkit.worker.WorkerLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;

final class ReleaseRules extends Steps {
  private static final Duration BRIEF = TimeScale.millis(500);

  private void checkHeld(Lease lease, String after) {
    Check.that(lease.isValid(), "the successor's lease is valid after " + after);
    Check.that(lock().tryAcquire().isEmpty(), "the lock is held after " + after);
  }

  /**
   * Checks that a lock stays held for a while: the release of a lost lease fails before the store
   * has answered it, so a store that frees the wrong lease may do so later.
   */
  private void checkStaysHeld(Lease lease, String after) {
    DistributedLock other = lock();
    long start = System.nanoTime();
    do {
      Check.that(lease.isValid(), "the successor's lease is valid after " + after);
      Check.that(other.tryAcquire().isEmpty(), "the lock stays held after " + after);
      Await.pass(TimeScale.millis(10));
    } while (since(start).compareTo(BRIEF) < 0);
  }

  /** Lets a lease expire and acquires the lock for a successor. */
  private Lease successorOf(Lease late) throws Exception {
    Await.until("the lease ends", () -> !late.isValid());
    return lock(late.lockName()).tryAcquire(ended(SLACK)).orElseThrow();
  }

  // ---- RL-1 ----

  @Rule(value = "RL-1", shows = "by a manager")
  void lateRelease() throws Exception {
    Lease late = fixed(name, BRIEF).acquire();
    Lease successor = successorOf(late);
    Check.fails(LeaseLostException.class, "a late release", late::release);
    checkStaysHeld(successor, "a late release");
    successor.release();
  }

  @Rule(value = "RL-1", shows = "by a process that was paused", needs = Need.PROCESSES)
  void lateReleaseOfAnotherProcess() throws Exception {
    Worker there = worker();
    WorkerLease late = there.acquire(name, LockOptions.fixed(BRIEF));
    there.pause();
    Lease successor = lock().tryAcquire(ended(BRIEF).plus(SLACK)).orElseThrow();
    there.resume();
    Check.fails(WorkerFailure.class, "a late release", late::release);
    there.acquire(freshName(), LockOptions.fixed(LONG)).release(); // its connections work
    checkStaysHeld(successor, "a late release by another process");
    successor.release();
  }

  @Rule(value = "RL-1", shows = "at the store", needs = Need.STORE)
  void lateReleaseAtStore() throws Exception {
    LeaseStore store = store();
    LeaseKey late = key(name);
    hold(store, late, BRIEF);
    Lease successor = lock().tryAcquire(ended(SLACK)).orElseThrow();
    ReleaseResult answer = Await.value(store.release(late));
    Check.equal(ReleaseResult.NOT_OWNER, answer, "the answer to a late release");
    checkHeld(successor, "a late release at the store");
    successor.release();
  }

  // ---- RL-2 ----

  @Rule(value = "RL-2", shows = "after the deadline")
  void lateReleaseTells() throws Exception {
    LockManager manager = open();
    Lease late = fixed(manager, freshName(), BRIEF).acquire();
    Lease lateAsync = Await.value(fixed(manager, freshName(), BRIEF).acquireAsync());
    Lock view = fixed(manager, freshName(), BRIEF).asLock();
    view.lock();
    Await.until("the leases end", () -> !late.isValid() && !lateAsync.isValid());
    Await.pass(BRIEF);
    Check.fails(LeaseLostException.class, "a late release", late::release);
    Check.fails(
        LeaseLostException.class,
        "a late asynchronous release",
        () -> Await.value(lateAsync.releaseAsync()));
    IllegalMonitorStateException unlocked =
        Check.fails(IllegalMonitorStateException.class, "a late unlock of the view", view::unlock);
    Check.that(
        unlocked.getCause() instanceof LeaseLostException,
        "a late unlock of the view has the loss as its cause: " + unlocked.getCause());
  }

  @Rule(value = "RL-2", shows = "removed behind the holder's back", needs = Need.VIEW)
  void removedReleaseTells() throws Exception {
    Lease lease = fixed(name, LONG).acquire();
    view().remove(name);
    Check.fails(LeaseLostException.class, "the release of a lock that is gone", lease::release);
  }

  @Rule(
      value = "RL-2",
      shows = "removed behind the holder's back, and another of the process waits",
      needs = Need.VIEW)
  void removedWhileOthersWait() throws Exception {
    LockManager manager = open();
    // The waiter asks for more than is left, so the lease must be renewed before it is handed over.
    Lease lease = fixed(manager, name, LONG).acquire();
    LockOptions longer =
        LockOptions.builder()
            .automaticLease(LONG.multipliedBy(3))
            .handOver(new HandOver(100, LONG))
            .build();
    CompletableFuture<Lease> waiting = asking(manager.lock(name, longer));
    view().remove(name);
    Check.fails(LeaseLostException.class, "the release of a lock that is gone", lease::release);
    Await.value(waiting).release();
  }

  // ---- RL-3 ----

  @Rule(value = "RL-3", shows = "through the lock view")
  void strangerUnlocks() throws Exception {
    LockManager manager = open();
    LockManager other = open();
    Lock view = manager.lock(name).asLock();
    view.lock();
    Lease inner = manager.lock(name).acquire();
    Class<IllegalMonitorStateException> refusal = IllegalMonitorStateException.class;
    for (LockManager strange : List.of(manager, other)) {
      Lock theirs = strange.lock(name).asLock();
      elsewhere(() -> Check.fails(refusal, "an unlock by a stranger", theirs::unlock));
    }
    checkHeld(inner, "strangers unlocked");
    inner.release();
    view.unlock();
    Check.fails(refusal, "an unlock too many", view::unlock);
    Check.that(other.lock(name).tryAcquire().isPresent(), "the lock is free in the end");
  }

  @Rule(value = "RL-3", shows = "through the lock view of several, by a thread that holds only one")
  void strangerToOneUnlocksAll() {
    LockManager manager = open();
    Lock mine = manager.lock(name).asLock();
    Lock both = manager.all(name, freshName()).asLock();
    mine.lock();
    Check.fails(IllegalMonitorStateException.class, "the unlock of both", both::unlock);
    mine.unlock(); // throws if it was already unlocked
  }

  @Rule(
      value = "RL-3",
      shows = "at the store",
      needs = {Need.STORE, Need.VIEW})
  void strangerAtStore() throws Exception {
    LeaseStore store = store();
    Lease lease = fixed(name, LONG).acquire();
    Entry before = view().look(name).orElseThrow();
    LeaseKey stranger = key(name);
    Check.equal(
        ReleaseResult.NOT_OWNER,
        Await.value(store.release(stranger)),
        "the answer to a stranger's release");
    Check.equal(
        RenewResult.NOT_OWNER,
        renew(store, stranger, LONG.multipliedBy(10)),
        "the answer to a stranger's renewal");
    Entry after = view().look(name).orElseThrow();
    Check.equal(before.value(), after.value(), "the holder's value");
    Check.atMost(before.left(), after.left(), "its time to live");
    lease.release();
  }

  // ---- RL-4 ----

  @Rule(value = "RL-4", shows = "twice")
  void releasedTwice() throws Exception {
    LockManager manager = open();
    Lease lease = manager.lock(name).acquire();
    lease.release();
    lease.release();
    Lease successor = lock().tryAcquire().orElseThrow();
    lease.release();
    Await.value(lease.releaseAsync());
    lease.close();
    checkHeld(successor, "a handle was released again");
    Check.that(!lease.lost().toCompletableFuture().isDone(), "no loss is signalled");
    successor.release();
  }

  @Rule(value = "RL-4", shows = "after an answer that was lost", needs = Need.STORE)
  void releasedUnheard() throws Exception {
    // The second release is delayed until another owner holds the lock.
    Gate gate = new Gate();
    Faults faults =
        new Faults()
            .next(Op.RELEASE, StoreFault.answerLost())
            .next(Op.RELEASE, StoreFault.callHeld(gate));
    List<LockEvent> events = new CopyOnWriteArrayList<>();
    LockManager manager = open(faults, b -> b.commandTimeout(BRIEF).listener(events::add));
    Lease lease = fixed(manager, name, LONG).acquire();
    var lost = lease.lost().toCompletableFuture();
    LockStoreException told =
        Check.fails(LockStoreException.class, "a release whose answer is lost", lease::release);
    Check.equal(Kind.TIMED_OUT, told.kind(), "the kind of failure");
    lease.release();
    Lease successor = lock().tryAcquire(SLACK).orElseThrow();
    gate.open();
    Await.until("the manager asks again", () -> faults.count(Op.RELEASE) >= 2);
    Await.until("nothing more is sent", () -> isQuiet(faults));
    checkHeld(successor, "the release was sent again");
    Check.that(!lost.isDone(), "no loss is signalled");
    checkNoLoss(events);
    successor.release();
  }

  // ---- RL-5 ----

  @Rule(value = "RL-5", shows = "the release fails", needs = Need.STORE)
  void failingRelease() throws Exception {
    Faults faults = new Faults();
    LockManager manager = open(faults);
    DistributedLock lock = fixed(manager, name, LONG);
    for (Kind kind : List.of(Kind.UNREACHABLE, Kind.UNAVAILABLE, Kind.REFUSED)) {
      Lease lease = lock.tryAcquire(SLACK).orElseThrow();
      faults.every(Op.RELEASE, StoreFault.fails(kind, "the kit says no"));
      LockStoreException told =
          Check.fails(LockStoreException.class, "a failing release", lease::release);
      Check.equal(kind, told.kind(), "the kind of failure");
      Check.that(!lease.isValid(), "the handle is released all the same");
      lease.release();
      faults.clear();
    }
    freeForAll(lock, lock());
  }

  /**
   * The lock need only be available here: whether the earlier releases, repeated in the background,
   * free the new hold as well is RL-7's subject.
   */
  private static void freeForAll(DistributedLock lock, DistributedLock others) throws Exception {
    Optional<Lease> again = lock.tryAcquire(SLACK);
    Check.that(again.isPresent(), "the same thread acquires again");
    try {
      again.orElseThrow().release();
    } catch (LeaseLostException freedFromBehind) {
      // the lock is free
    }
    Check.that(others.tryAcquire(SLACK).isPresent(), "the lock is free for others");
  }

  @Rule(value = "RL-5", shows = "the server hangs", needs = Need.PAUSE)
  void stoppedServer() throws Exception {
    Site site = ownSite();
    LockManager manager = site.open(b -> b.commandTimeout(BRIEF));
    DistributedLock lock = fixed(manager, name, LONG);
    Lease lease = lock.acquire();
    site.server().pause();
    try {
      Check.fails(LockStoreException.class, "a release on a stopped server", lease::release);
    } finally {
      site.server().resume();
    }
    freeForAll(lock, site.open().lock(name));
  }

  // ---- RL-6 ----

  @Rule("RL-6")
  void interruptedRelease() throws Exception {
    DistributedLock lock = lock();
    DistributedLock other = lock();
    Lease lease = lock.acquire();
    Thread.currentThread().interrupt();
    lease.release();
    Check.that(Thread.interrupted(), "the interrupt is kept");
    other.tryAcquire().orElseThrow().release();
    Lock view = lock.asLock();
    view.lock();
    Thread.currentThread().interrupt();
    view.unlock();
    Check.that(Thread.interrupted(), "the interrupt is kept by the view");
    other.tryAcquire().orElseThrow().release();
  }

  // ---- RL-7 ----

  @Rule(
      value = "RL-7",
      needs = {Need.STORE, Need.REDIS})
  void oneStep() throws Exception {
    atEachMoment(
        "a release",
        moment -> {
          nextName();
          LeaseStore store = moment.site().store();
          LeaseKey late = key(name);
          hold(store, late, BRIEF);
          CompletableFuture<ReleaseResult> release;
          Lease successor;
          try (ActiveFault held = moment.fromNowOn(CommandFault.holdRequest())) {
            release = store.release(late).toCompletableFuture();
            Await.until("it is done or held", () -> release.isDone() || held.hits() > 0);
            if (release.isDone()) {
              return true;
            }
            successor = lock().tryAcquire(ended(SLACK)).orElseThrow();
          }
          Await.until("the release ends", release::isDone);
          checkHeld(successor, "a release held back after " + moment.sent + " commands");
          successor.release();
          return false;
        });
  }
}
