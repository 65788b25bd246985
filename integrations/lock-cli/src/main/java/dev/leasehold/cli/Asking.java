package dev.leasehold.cli;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
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

  /**
   * Returns the way to acquire a lock of this kind.
   *
   * @throws UsageException if the name is not valid
   */
  static Asking of(LockManager locks, String name, Kind kind) {
    try {
      if (kind instanceof Kind.Permit permit) {
        return of(locks.semaphore(name, permit.of()));
      }
      if (kind == Kind.Side.NONE) {
        return of(locks.lock(name));
      }
      return of(
          kind == Kind.Side.READ
              ? locks.readWriteLock(name).read()
              : locks.readWriteLock(name).write());
    } catch (IllegalArgumentException e) {
      throw new UsageException("NAME: " + e.getMessage());
    }
  }

  private static Asking of(DistributedLock lock) {
    return longest -> {
      if (longest.isEmpty()) {
        return Optional.of(lock.acquire());
      }
      return longest.get().isZero() ? lock.tryAcquire() : lock.tryAcquire(longest.get());
    };
  }

  private static Asking of(DistributedSemaphore semaphore) {
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
