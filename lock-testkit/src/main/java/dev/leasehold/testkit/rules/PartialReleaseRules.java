package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Releasing some of a lease's permits while it keeps the others. */
final class PartialReleaseRules extends SemaphoreSteps {
  @Rule(value = "SE-3", shows = "some permits of a lease are released")
  void some() throws Exception {
    DistributedSemaphore semaphore = semaphore(5);
    DistributedSemaphore rival = semaphore(5);
    Lease lease = semaphore.acquire(4);
    Check.equal(4, lease.permits(), "the permits of the lease");
    if (promises(Guarantee.QUORUM)) {
      Check.fails(LockConfigurationException.class, "on a quorum", () -> lease.release(1));
      Check.equal(4, lease.permits(), "the permits of a lease that stays whole");
      lease.ensureValid();
      checkFree(rival, 1, "beside a lease that stays whole");
      lease.release();
      return;
    }
    lease.release(1);
    Check.equal(3, lease.permits(), "the permits that are left");
    checkFree(rival, 2, "after one came back");
    lease.release(2);
    lease.ensureValid();
    checkFree(rival, 4, "after three came back");
    lease.release(1);
    Check.that(!lease.isValid(), "the lease ended with its last permit");
    lease.release();
    checkFree(rival, 5, "after all came back");
  }

  @Rule(
      value = "SE-3",
      shows = "what is left of a lease is renewed",
      needs = Need.PARTS,
      timed = true)
  void renewed() throws Exception {
    LockOptions options = renewed(RENEWED);
    Lease lease = open().semaphore(name, 3, options).acquire(3);
    lease.release(1);
    Await.pass(RENEWED.multipliedBy(2));
    lease.ensureValid();
    checkFree(semaphore(3), 1, "beside two that are renewed");
    lease.release();
  }

  @Rule(
      value = "SE-3",
      shows = "released permits wake a waiter",
      needs = {Need.STORE, Need.PARTS})
  void wakes() throws Exception {
    Lease lease = semaphore(3).acquire(3);
    AtomicInteger refusals = new AtomicInteger();
    LockManager other = open(builder -> builder.listener(refusals(refusals)));
    boolean wakes = promises(Guarantee.WAKE_UP);
    CompletableFuture<Optional<Lease>> waiting =
        (wakes ? patient(other, 3) : semaphore(other, 3))
            .tryAcquireAsync(2, LONG)
            .toCompletableFuture();
    // The first refusal on arrival, the second once it is subscribed.
    Await.until("it waits", () -> refusals.get() >= (wakes ? 2 : 1));
    lease.release(1);
    Check.that(!waiting.isDone(), "one permit is not enough for two");
    lease.release(1);
    Await.until("it has them", wakes ? RARELY.longest().dividedBy(2) : LONG, waiting::isDone);
    Lease two = Await.value(waiting).orElseThrow();
    lease.ensureValid();
    lease.release();
    two.release();
  }

  @Rule(value = "SE-3", shows = "a lost lease releases none")
  void lost() throws Exception {
    Lease late = open().semaphore(name, 3, LockOptions.fixed(BRIEF)).acquire(3);
    DistributedSemaphore rival = semaphore(3);
    Lease next = rival.tryAcquire(3, ended(BRIEF).plus(SLACK)).orElseThrow();
    Check.fails(LeaseLostException.class, "a late release of one", () -> late.release(1));
    Check.that(rival.tryAcquire().isEmpty(), "no permit was added");
    next.release();
    checkFree(rival, 3, "after the release");
  }

  @Rule(
      value = "SE-3",
      shows = "some permits are released, and the answer is lost",
      needs = {Need.STORE, Need.PARTS})
  void lostAnswer() throws Exception {
    Faults faults = new Faults();
    LockManager manager = open(faults, builder -> builder.commandTimeout(Duration.ofMillis(300)));
    DistributedSemaphore rival = semaphore(4);
    Lease lease = semaphore(manager, name, 4).acquire(4);
    faults.next(Op.RELEASE, StoreFault.answerLost());
    Check.fails(LockStoreException.class, "no answer", () -> lease.release(1));
    Check.equal(3, lease.permits(), "the permits that the lease still counts");
    faults.next(Op.RELEASE, StoreFault.callLost());
    Check.fails(LockStoreException.class, "never sent", () -> lease.release(1));
    lease.release(1);
    checkFree(rival, 3, "after a release that states the permits left");
    lease.release();
    checkFree(rival, 4, "after all");
  }

  @Rule(value = "SE-3", shows = "numbers that can't be released")
  void badNumbers() throws Exception {
    Lease lease = semaphore(3).acquire(2);
    for (int wrong : new int[] {0, -1, 3}) {
      fails(IllegalArgumentException.class, wrong + " permits", () -> lease.release(wrong), wrong);
    }
    lease.release(2);
    Check.that(!lease.isValid(), "all were released");
  }
}
