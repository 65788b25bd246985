package dev.leasehold.cli;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import java.time.Duration;
import java.util.Optional;

/** Acquires a lease of any kind of lock. */
@FunctionalInterface
interface Asking {

  /**
   * Acquires a lease.
   *
   * @param longest how long to wait; empty for no limit
   * @return the lease; empty if others hold the lock
   */
  Optional<Lease> ask(Optional<Duration> longest) throws InterruptedException;

  /** Acquires this one. */
  static Asking of(DistributedLock lock) {
    return longest -> {
      if (longest.isEmpty()) {
        return Optional.of(lock.acquire());
      }
      return longest.get().isZero() ? lock.tryAcquire() : lock.tryAcquire(longest.get());
    };
  }

  /** Acquires this one. */
  static Asking of(DistributedSemaphore semaphore) {
    return longest -> {
      if (longest.isEmpty()) {
        return Optional.of(semaphore.acquire());
      }
      return longest.get().isZero()
          ? semaphore.tryAcquire()
          : semaphore.tryAcquire(1, longest.get());
    };
  }
}
