package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.TimeScale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The words of rules about semaphores. */
abstract class SemaphoreSteps extends Steps {
  static final Duration BRIEF = TimeScale.millis(400);

  /** Length of a lease that is renewed: survives a stall of half of it. */
  static final Duration RENEWED = BRIEF.multipliedBy(3);

  /** Polls so rarely that a waiter granted soon must have been woken. */
  static final WaitStrategy RARELY =
      new WaitStrategy(
          TimeScale.seconds(20),
          WaitStrategy.defaults().shortestPoll(),
          WaitStrategy.defaults().longestPoll());

  /** With waiters that poll rarely. */
  final DistributedSemaphore patient(LockManager manager, int permits) {
    LockOptions options = LockOptions.builder().fixedLease(LONG).waitStrategy(RARELY).build();
    return manager.semaphore(name, permits, options);
  }

  /** The semaphore of this rule, by a new manager. */
  final DistributedSemaphore semaphore(int permits) {
    return semaphore(open(), permits);
  }

  final DistributedSemaphore semaphore(LockManager manager, int permits) {
    return semaphore(manager, name, permits);
  }

  static DistributedSemaphore semaphore(LockManager manager, String lockName, int permits) {
    return manager.semaphore(lockName, permits, LockOptions.fixed(LONG));
  }

  /**
   * Acquires that many free permits, one by one; retries briefly, since a waiter may just be
   * leaving the line.
   */
  static List<Lease> take(DistributedSemaphore semaphore, int permits) {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < permits; i++) {
      leases.add(
          Await.value(semaphore.tryAcquireAsync(1, SLACK))
              .orElseThrow(() -> new AssertionError(semaphore + " refused a free permit")));
    }
    return leases;
  }

  /** Acquires one free permit. */
  static Lease take(DistributedSemaphore semaphore) {
    return take(semaphore, 1).get(0);
  }

  /** Checks that exactly that many permits are free, by acquiring them. */
  static void checkFree(DistributedSemaphore semaphore, int permits, String when) {
    List<Lease> leases = take(semaphore, permits);
    Check.that(semaphore.tryAcquire().isEmpty(), "not one permit more is free, " + when);
    leases.forEach(Lease::release);
  }

  /** A view of a bare store, to ask for some permits. */
  final LeaseStore permits(int wanted, int of) {
    return ((PermitStore) store()).permits(wanted, of);
  }

  /** A holder that takes permits and then dies. */
  final LeaseKey dead(int wanted, int of, Duration ttl) {
    LeaseKey key = key(name);
    hold(permits(wanted, of), key, ttl);
    return key;
  }
}
