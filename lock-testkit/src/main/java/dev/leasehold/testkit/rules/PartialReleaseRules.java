package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.SemaphoreSteps.BRIEF;
import static dev.leasehold.testkit.rules.SemaphoreSteps.RENEWED;
import static dev.leasehold.testkit.rules.SemaphoreSteps.SLACK;
import static dev.leasehold.testkit.rules.SemaphoreSteps.checkFree;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Releasing some of a lease's permits while it keeps the others. */
final class PartialReleaseRules {
  private static boolean isInParts(Bench bench) {
    return !bench.guarantees().contains(Guarantee.QUORUM);
  }

  @Rule(value = "SE-3", shows = "some permits of a lease are released")
  void some(Bench bench) throws Exception {
    String name = bench.name();
    DistributedSemaphore semaphore = SemaphoreSteps.of(bench.site().open(), name, 5);
    DistributedSemaphore rival = SemaphoreSteps.of(bench.site().open(), name, 5);
    Lease lease = semaphore.acquire(4);
    Check.equal(4, lease.permits(), "the permits of the lease");
    if (!isInParts(bench)) {
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

  @Rule(value = "SE-3", shows = "what is left of a lease is renewed", timed = true)
  void renewed(Bench bench) throws Exception {
    if (!isInParts(bench)) {
      return;
    }
    String name = bench.name();
    LockOptions options = LockOptions.builder().automaticLease(RENEWED).build();
    Lease lease = bench.site().open().semaphore(name, 3, options).acquire(3);
    lease.release(1);
    Await.pass(RENEWED.multipliedBy(2));
    lease.ensureValid();
    checkFree(SemaphoreSteps.of(bench.site().open(), name, 3), 1, "beside two that are renewed");
    lease.release();
  }

  @Rule(value = "SE-3", shows = "released permits wake a waiter", needs = Need.STORE)
  void wakes(Bench bench) throws Exception {
    if (!isInParts(bench)) {
      return;
    }
    String name = bench.name();
    Lease lease = SemaphoreSteps.of(bench.site().open(), name, 3).acquire(3);
    CompletableFuture<Optional<Lease>> waiting =
        SemaphoreSteps.of(bench.site().open(), name, 3)
            .tryAcquireAsync(2, SemaphoreSteps.LONG)
            .toCompletableFuture();
    lease.release(1);
    Check.that(!waiting.isDone(), "one permit is not enough for two");
    lease.release(1);
    Lease two = Await.value(waiting).orElseThrow();
    lease.ensureValid();
    lease.release();
    two.release();
  }

  @Rule(value = "SE-3", shows = "a lost lease releases none")
  void lost(Bench bench) throws Exception {
    String name = bench.name();
    Lease late = bench.site().open().semaphore(name, 3, LockOptions.fixed(BRIEF)).acquire(3);
    DistributedSemaphore rival = SemaphoreSteps.of(bench.site().open(), name, 3);
    Lease next = rival.tryAcquire(3, bench.ended(BRIEF).plus(SLACK)).orElseThrow();
    Check.fails(LeaseLostException.class, "a late release of one", () -> late.release(1));
    Check.that(rival.tryAcquire().isEmpty(), "no permit was added");
    next.release();
    checkFree(rival, 3, "after the release");
  }

  @Rule(
      value = "SE-3",
      shows = "some permits are released, and the answer is lost",
      needs = Need.STORE)
  void lostAnswer(Bench bench) throws Exception {
    if (!isInParts(bench)) {
      return;
    }
    String name = bench.name();
    Faults faults = new Faults();
    LockManager manager =
        bench.site().open(faults, builder -> builder.commandTimeout(Duration.ofMillis(300)));
    DistributedSemaphore rival = SemaphoreSteps.of(bench.site().open(), name, 4);
    Lease lease = SemaphoreSteps.of(manager, name, 4).acquire(4);
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
  void badNumbers(Bench bench) throws Exception {
    Lease lease = SemaphoreSteps.of(bench.site().open(), bench.name(), 3).acquire(2);
    for (int wrong : new int[] {0, -1, 3}) {
      IllegalArgumentException refusal =
          Check.fails(
              IllegalArgumentException.class, wrong + " permits", () -> lease.release(wrong));
      Check.that(
          String.valueOf(refusal.getMessage()).contains("" + wrong),
          "the message names the value: " + refusal.getMessage());
    }
    lease.release(2);
    Check.that(!lease.isValid(), "all were released");
  }
}
