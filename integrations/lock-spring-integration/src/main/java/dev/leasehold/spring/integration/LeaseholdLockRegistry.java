package dev.leasehold.spring.integration;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.util.Assert;

/**
 * Spring Integration's locks from a {@link LockManager}:
 * <!-- given: LockManager locks -->
 *
 * <pre>{@code
 * org.springframework.integration.support.locks.LockRegistry registry =
 *     new dev.leasehold.spring.integration.LeaseholdLockRegistry(locks, "my-service:");
 * }</pre>
 *
 * <p>A lock's name is the registry's prefix and the key's text. Locks are {@linkplain
 * DistributedLock#asLock() as} {@code ReentrantLock}: owned by the thread, re-entrant, without
 * conditions. {@code unlock()} after a loss throws {@link IllegalMonitorStateException} with a
 * {@link dev.leasehold.lock.LeaseLostException} as its cause. By default leases are renewed while
 * the process lives, so that no task scheduler is needed. Nothing is kept per key: there is nothing
 * to expire.
 *
 * <p>Thread-safe. Never closes the manager.
 */
public final class LeaseholdLockRegistry implements RenewableLockRegistry {
  private final LockManager manager;
  private final String prefix;
  private final Optional<LockOptions> options;

  /**
   * With the manager's options.
   *
   * @param prefix what all names begin with, so that registries are apart; may be empty
   */
  public LeaseholdLockRegistry(LockManager manager, String prefix) {
    this(manager, prefix, Optional.empty());
  }

  /** With options of its own: a fixed lease, say. */
  public LeaseholdLockRegistry(LockManager manager, String prefix, LockOptions options) {
    this(manager, prefix, Optional.of(options));
  }

  private LeaseholdLockRegistry(LockManager manager, String prefix, Optional<LockOptions> options) {
    this.manager = Objects.requireNonNull(manager, "manager");
    this.prefix = Objects.requireNonNull(prefix, "prefix");
    this.options = options;
  }

  /**
   * The lock of a key; equal texts are the same lock.
   *
   * @throws IllegalArgumentException if the name is empty or longer than 512 bytes in UTF-8
   */
  @Override
  public Lock obtain(Object lockKey) {
    return lock(lockKey).asLock();
  }

  private DistributedLock lock(Object lockKey) {
    Assert.notNull(lockKey, "'lockKey' must not be null");
    String name = prefix + lockKey;
    return options.map(own -> manager.lock(name, own)).orElseGet(() -> manager.lock(name));
  }

  /**
   * Renews a lock of this thread's by its own lease.
   *
   * @throws IllegalStateException if the thread does not hold it
   */
  @Override
  public void renewLock(Object lockKey) {
    renew(lockKey, Optional.empty());
  }

  /**
   * Has a lock of this thread's last this long from now at least; it is never shortened. Of Spring
   * Integration 7.
   *
   * @throws IllegalStateException if the thread does not hold it
   */
  public void renewLock(Object lockKey, Duration ttl) {
    renew(lockKey, Optional.of(ttl));
  }

  private void renew(Object lockKey, Optional<Duration> ttl) {
    DistributedLock lock = lock(lockKey);
    // Re-enters, if this thread holds it.
    Optional<Lease> entered = lock.tryAcquire();
    if (entered.isEmpty()) {
      throw notHeld(lock);
    }
    try (Lease lease = entered.get()) {
      if (lease.holdCount() == 1) {
        throw notHeld(lock);
      }
      Duration wanted = ttl.orElseGet(() -> options.orElseGet(LockOptions::defaults).lease());
      if (!lease.extend(wanted)) {
        throw notHeld(lock);
      }
    }
  }

  private static IllegalStateException notHeld(DistributedLock lock) {
    return new IllegalStateException(
        "the lock '" + lock.name() + "' is not held by this thread, or was lost");
  }
}
