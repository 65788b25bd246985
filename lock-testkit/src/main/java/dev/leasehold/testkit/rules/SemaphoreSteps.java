package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.TimeScale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Helpers shared by the semaphore rules. */
final class SemaphoreSteps {
  static final Duration LONG = TimeScale.seconds(30);
  static final Duration BRIEF = TimeScale.millis(400);

  /** Length of a lease that is renewed: survives a stall of half of it. */
  static final Duration RENEWED = BRIEF.multipliedBy(3);

  /** Allowed delay of a waiter, including a busy machine. */
  static final Duration SLACK = TimeScale.seconds(3);

  private SemaphoreSteps() {}

  static DistributedSemaphore of(LockManager manager, String name, int permits) {
    return manager.semaphore(name, permits, LockOptions.fixed(LONG));
  }

  /**
   * Acquires that many free permits, one by one; retries briefly, since a waiter may just be
   * leaving the line.
   */
  static List<Lease> take(DistributedSemaphore semaphore, int permits) {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < permits; i++) {
      leases.add(
          Await.value(semaphore.tryAcquireAsync(1, SLACK)).orElseThrow(() -> full(semaphore)));
    }
    return leases;
  }

  private static AssertionError full(DistributedSemaphore semaphore) {
    return new AssertionError(semaphore + " refused a free permit");
  }

  /** Checks that exactly that many permits are free, by acquiring them. */
  static void checkFree(DistributedSemaphore semaphore, int permits, String when) {
    List<Lease> leases = take(semaphore, permits);
    Check.that(semaphore.tryAcquire().isEmpty(), "not one permit more is free, " + when);
    leases.forEach(Lease::release);
  }

  /** A holder that takes permits and then dies. */
  static LeaseKey dead(Bench bench, String name, int wanted, int of, Duration ttl) {
    PermitStore store = (PermitStore) bench.site().store();
    LeaseKey key = bench.key(name);
    Check.that(
        ask(store.permits(wanted, of), key, ttl) instanceof AcquireResult.Granted,
        "free permits are granted");
    return key;
  }

  static AcquireResult ask(LeaseStore view, LeaseKey key, Duration ttl) {
    return Await.value(view.acquire(new AcquireRequest(key, ttl, IfHeld.REFUSE)));
  }
}
