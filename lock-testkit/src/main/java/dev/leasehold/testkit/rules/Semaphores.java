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

/** What the rules of semaphores have in common. */
final class Semaphores {
  static final Duration LONG = TimeScale.seconds(30);
  static final Duration BRIEF = TimeScale.millis(400);

  /** Of a lease that is renewed: the machine may stand still for half of it. */
  static final Duration RENEWED = BRIEF.multipliedBy(3);

  /** What a waiter may come late, and then some for a busy machine. */
  static final Duration SLACK = TimeScale.seconds(3);

  private Semaphores() {}

  static DistributedSemaphore of(LockManager manager, String name, int permits) {
    return manager.semaphore(name, permits, LockOptions.fixed(LONG));
  }

  /** Takes so many free permits, one by one: soon, since somebody may just have left the line. */
  static List<Lease> take(DistributedSemaphore semaphore, int permits) {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < permits; i++) {
      leases.add(
          Await.value(semaphore.tryAcquireAsync(1, SLACK)).orElseThrow(() -> full(semaphore)));
    }
    return leases;
  }

  private static AssertionError full(DistributedSemaphore semaphore) {
    return new AssertionError(semaphore + " refused a permit that nobody holds");
  }

  /** Exactly so many permits are free, as one finds who takes them. */
  static void checkFree(DistributedSemaphore semaphore, int permits, String when) {
    List<Lease> leases = take(semaphore, permits);
    Check.that(semaphore.tryAcquire().isEmpty(), "not one permit more is free, " + when);
    leases.forEach(Lease::release);
  }

  /** Somebody who takes permits and is never heard of again. */
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
