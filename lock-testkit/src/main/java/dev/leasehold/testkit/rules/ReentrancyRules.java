package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.view.ServerView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

final class ReentrancyRules extends Steps {
  private static final Duration BRIEF = TimeScale.millis(250);
  private static final int DEPTH = 5;

  private boolean isFree(LockManager other) {
    return !isEmpty(other.lock(name).tryAcquire());
  }

  // ---- RE-1 ----

  @Rule(value = "RE-1", shows = "handles in any order")
  void counts() throws Exception {
    LockManager other = open();
    DistributedLock lock = lock();
    List<Lease> leases = new ArrayList<>();
    for (int i = 1; i <= DEPTH; i++) {
      Lease lease = i % 2 == 0 ? lock.acquire() : lock.tryAcquire().orElseThrow();
      leases.add(lease);
      Check.equal(i, lease.holdCount(), "the hold count");
    }
    Collections.shuffle(leases, new Random(DEPTH)); // any order, the same in each run
    for (int left = DEPTH - 1; left >= 0; left--) {
      Check.that(!isFree(other), "the lock is held while a handle is left");
      Lease lease = leases.remove(left);
      lease.release();
      lease.release(); // releasing twice counts once
      Check.equal(0, lease.holdCount(), "the hold count of a handle that was released");
      for (Lease rest : leases) {
        Check.equal(left, rest.holdCount(), "the hold count of those that are left");
      }
    }
    Check.that(isFree(other), "the lock is free after the last release");
  }

  @Rule(value = "RE-1", shows = "the lock view among handles")
  void viewCounts() throws Exception {
    LockManager other = open();
    DistributedLock lock = lock();
    Lock view = lock.asLock();
    Lease outer = lock.acquire();
    view.lock();
    Check.that(view.tryLock(), "the view re-enters");
    Check.equal(3, outer.holdCount(), "the hold count");
    outer.release();
    view.unlock();
    Check.that(!isFree(other), "the lock is held while the view has it");
    view.unlock();
    Check.that(isFree(other), "the lock is free after the last unlock");
  }

  @Rule(value = "RE-1", shows = "the owner's count, as the lock reports it")
  void ownersCount() throws Exception {
    LockManager manager = open();
    DistributedLock lock = manager.lock(freshName());
    DistributedLock another = lock.as(LockOwner.unique("another"));
    Check.equal(0, lock.holdCount(), "the count of an owner that holds nothing");
    Lease lease = lock.acquire();
    Lease again = lock.acquire();
    Check.equal(2, lock.holdCount(), "the owner's count");
    Check.equal(2, manager.lock(lock.name()).holdCount(), "the count of an equal lock");
    Check.that(lock.isHeldByCurrentOwner(), "the owner holds it");
    Check.equal(0, another.holdCount(), "another owner's count");
    Check.equal(0, onThread(lock::holdCount).get(), "the count of another thread");
    Check.equal(0, open().lock(lock.name()).holdCount(), "the count in another manager");
    lease.release();
    Check.equal(1, lock.holdCount(), "the count after the first release");
    again.release();
    Check.that(!lock.isHeldByCurrentOwner(), "the owner does not hold it after the last release");
  }

  // ---- RE-2 ----

  @Rule(value = "RE-2", shows = "without a round trip", needs = Need.STORE)
  void noRoundTrip() throws Exception {
    Faults faults = new Faults();
    LockManager manager = open(faults);
    DistributedLock lock = fixed(manager, freshName(), LONG);
    Lease outer = lock.acquire();
    // A waiter that the owner must overtake.
    CompletableFuture<Lease> waiting = asking(lock);
    if (promises(Guarantee.FAIR)) {
      // Under FAIR the waiter asks the store itself to get in line, and again about a second later.
      awaitInLine(lock.name(), 1);
    }
    die(faults); // a round trip would never return
    int before = faults.count();
    // Not longer than what is left.
    DistributedLock shorter = fixed(manager, lock.name(), LONG.dividedBy(2));
    shorter.acquire().release();
    shorter.tryAcquire().orElseThrow().release();
    shorter.tryAcquire(BRIEF).orElseThrow().release();
    Check.equal(before, faults.count(), "the number of calls to the store");
    Check.that(!waiting.isDone(), "the other one still waits");
    faults.clear();
    waiting.cancel(true);
    outer.release();
  }

  @Rule(value = "RE-2", shows = "one round trip if the lease must grow", needs = Need.STORE)
  void growsOnce() throws Exception {
    Faults faults = new Faults();
    LockManager manager = open(faults);
    Lease outer = fixed(manager, name, LONG.dividedBy(3)).acquire();
    int before = faults.count();
    Lease inner = fixed(manager, name, LONG).acquire();
    Check.equal(before + 1, faults.count(), "the number of calls to the store");
    Check.equal(1, faults.count(Op.RENEW), "the number of renewals");
    Check.atLeast(LONG.dividedBy(2), outer.remaining(), "what remains of the lease");
    inner.release();
    outer.release();
  }

  // Catches an owner that waits for itself: its second request, sent before the first is answered,
  // queues as another contender.
  @Rule(
      value = "RE-2",
      shows = "two requests of one owner before the first answer",
      needs = Need.STORE)
  void askedTwice() {
    DistributedLock lock = fixed(name, LONG).as(LockOwner.unique("asks twice"));
    List<CompletableFuture<Lease>> asked = Stream.generate(() -> asking(lock)).limit(3).toList();
    CompletableFuture<Optional<Lease>> tried =
        lock.tryAcquireAsync(Await.patience()).toCompletableFuture();
    for (CompletableFuture<Lease> one : asked) {
      Check.that(Await.value(one).isValid(), "each of the owner's acquisitions has a valid lease");
    }
    Lease last = Await.value(tried).orElseThrow();
    Check.equal(asked.size() + 1, last.holdCount(), "the number of holds");
    last.release();
    asked.forEach(one -> Await.value(one).release());
  }

  // ---- RE-3 ----

  @Rule(value = "RE-3", also = Guarantee.FENCING)
  void tokenStays() throws Exception {
    DistributedLock lock = lock(freshName());
    Lease outer = lock.acquire();
    Lease inner = lock.acquire();
    long token = outer.fencingToken();
    Check.equal(token, inner.fencingToken(), "the inner handle's fencing token");
    outer.release();
    Check.equal(token, inner.fencingToken(), "the token after the outer release");
    inner.release();
    Lease next = lock.acquire();
    Check.that(next.fencingToken() > token, "the next hold has a larger token");
    next.release();
  }

  // ---- RE-4 ----

  @Rule(value = "RE-4", needs = Need.VIEW)
  void innerRelease() throws Exception {
    LockManager manager = open();
    LockManager other = open();
    Lease outer = fixed(manager, name, LONG).acquire();
    String value = view().look(name).orElseThrow().value();
    Lease inner = fixed(manager, name, BRIEF).acquire();
    checkStill(value, outer, "a shorter re-entry");
    inner.release();
    checkStill(value, outer, "the inner release");
    Check.that(!isFree(other), "the lock is held after the inner release");
    outer.release();
    Check.that(isFree(other), "the lock is free after the outer release");
  }

  private void checkStill(String value, Lease lease, String after) {
    ServerView.Entry entry =
        view().look(name).orElseThrow(() -> new AssertionError("the lock is gone after " + after));
    Check.equal(value, entry.value(), "the holder's value after " + after);
    Duration half = LONG.dividedBy(2);
    Check.atLeast(half, entry.left(), "the server's time to live after " + after);
    Check.atLeast(half, lease.remaining(), "what remains of the lease after " + after);
  }

  // ---- RE-5 ----

  @Rule(value = "RE-5", timed = true)
  void afterLoss() throws Exception {
    LockManager manager = open();
    DistributedLock lock = fixed(manager, name, BRIEF.multipliedBy(3));
    Lease outer = lock.acquire();
    Lease inner = lock.acquire();
    Await.until("the lease ends", () -> !outer.isValid());
    checkNoEntry(lock);
    Check.fails(LeaseLostException.class, "the inner release", inner::release);
    checkNoEntry(lock);
    Check.fails(LeaseLostException.class, "the outer release", outer::release);
    Lease anew = fixed(manager, name, LONG).tryAcquire(ended(SLACK)).orElseThrow();
    Check.equal(1, anew.holdCount(), "the hold count of a new hold");
    Check.that(!outer.isValid() && !inner.isValid(), "lost handles stay invalid");
    anew.release();
  }

  private static void checkNoEntry(DistributedLock lock) {
    Class<LeaseLostException> lost = LeaseLostException.class;
    Check.fails(lost, "an attempt after a loss", lock::tryAcquire);
    Check.fails(lost, "a timed attempt after a loss", () -> lock.tryAcquire(BRIEF));
    Check.fails(lost, "an acquisition after a loss", lock::acquire);
    Check.fails(lost, "a lock of the view after a loss", () -> lock.asLock().lock());
  }

  // ---- RE-6 ----

  @Rule("RE-6")
  void otherOwners() throws Exception {
    DistributedLock lock = lock();
    Lease lease = lock.acquire();
    Check.that(elsewhere(lock::tryAcquire).isEmpty(), "another thread is refused");
    LockOwner owner = LockOwner.unique("somebody");
    Check.that(lock.as(owner).tryAcquire().isEmpty(), "an owner by name is refused");
    Check.that(
        Await.value(lock.tryAcquireAsync(Duration.ZERO)).isEmpty(),
        "an asynchronous acquisition is refused");
    Check.that(!elsewhere(() -> lock.asLock().tryLock()), "a view is refused");
    lease.release();
    Lease owned = lock.as(owner).acquire();
    Check.that(lock.tryAcquire().isEmpty(), "the thread is refused while the owner holds");
    Check.that(
        lock.as(LockOwner.unique("somebody")).tryAcquire().isEmpty(),
        "another owner of the same description is refused");
    Lease again = elsewhere(() -> lock.as(owner).tryAcquire()).orElseThrow();
    Check.equal(2, again.holdCount(), "the hold count of the owner, from another thread");
    again.release();
    owned.release();
  }
}
