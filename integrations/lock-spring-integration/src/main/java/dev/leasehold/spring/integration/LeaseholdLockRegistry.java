package dev.leasehold.spring.integration;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.util.Assert;

/**
 * A Spring Integration lock registry on a {@link LockManager}:
 * <!-- given: LockManager locks -->
 *
 * <pre>{@code
 * org.springframework.integration.support.locks.LockRegistry registry =
 *     new dev.leasehold.spring.integration.LeaseholdLockRegistry(locks, "my-service:");
 * }</pre>
 *
 * <p>A lock's name is the registry's prefix and the key's text. Locks behave {@linkplain
 * DistributedLock#asLock() as} {@code ReentrantLock}: owned by the thread and re-entrant, but
 * without conditions. {@code unlock()} after a loss throws {@link IllegalMonitorStateException}
 * with a {@link dev.leasehold.lock.LeaseLostException} as its cause. By default leases are renewed
 * while the process is alive, so no task scheduler is needed. The registry keeps no state per key,
 * so nothing needs to expire.
 *
 * <p>Thread-safe. Never closes the manager.
 */
public final class LeaseholdLockRegistry implements RenewableLockRegistry {
  private static final Duration A_LITTLE = Duration.ofMillis(1);

  private final Function<String, DistributedLock> locks;

  /**
   * Creates a registry with the manager's options.
   *
   * @param prefix prefix of all lock names, to separate registries; may be empty
   */
  public LeaseholdLockRegistry(LockManager manager, String prefix) {
    this(named(manager, prefix, name -> manager.lock(name)));
  }

  /** Creates a registry with its own options, such as a fixed lease. */
  public LeaseholdLockRegistry(LockManager manager, String prefix, LockOptions options) {
    this(named(manager, prefix, name -> manager.lock(name, options)));
  }

  /**
   * Creates a registry on locks that the application supplies, for example combining two managers
   * while instances of a previous version still run.
   *
   * @param locks returns the lock for a key's text; equal texts must give the same lock
   */
  public LeaseholdLockRegistry(Function<String, DistributedLock> locks) {
    this.locks = Objects.requireNonNull(locks, "locks");
  }

  private static Function<String, DistributedLock> named(
      LockManager manager, String prefix, Function<String, DistributedLock> locks) {
    Objects.requireNonNull(manager, "manager");
    Objects.requireNonNull(prefix, "prefix");
    return key -> locks.apply(prefix + key);
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
    return locks.apply(lockKey.toString());
  }

  /**
   * Renews a lock held by this thread: a fixed lease gets its full length again, from the
   * registry's or else the manager's options; an automatic lease is renewed anyway. Blocks for one
   * or two round trips, or none if the thread does not hold the lock.
   *
   * @throws IllegalStateException if the thread does not hold the lock; the cause is a {@link
   *     LeaseLostException} if this call detects that the lease was lost
   */
  @Override
  public void renewLock(Object lockKey) {
    renew(lockKey, Optional.empty());
  }

  /**
   * Extends a lock held by this thread to last at least this long from now; never shortens it.
   * Specified by Spring Integration 7. Otherwise as {@link #renewLock(Object)}.
   *
   * @throws IllegalStateException as {@link #renewLock(Object)}
   */
  public void renewLock(Object lockKey, Duration ttl) {
    renew(lockKey, Optional.of(ttl));
  }

  private void renew(Object lockKey, Optional<Duration> ttl) {
    DistributedLock lock = lock(lockKey);
    if (!lock.isHeldByCurrentOwner()) {
      throw notHeld(lock, null);
    }
    // Re-entry gives a fixed lease its full length again.
    try (Lease lease = lock.tryAcquire().orElseThrow(() -> notHeld(lock, null))) {
      // More than remains, so that the store is asked: another owner may hold the lock by now.
      Duration more = lease.remaining().plus(A_LITTLE);
      boolean kept = lease.extend(ttl.filter(time -> time.compareTo(more) > 0).orElse(more));
      if (lease.holdCount() < 2 || !kept) {
        throw notHeld(lock, null);
      }
    } catch (LeaseLostException e) {
      throw notHeld(lock, e);
    }
  }

  private static IllegalStateException notHeld(
      DistributedLock lock, @Nullable LeaseLostException cause) {
    return new IllegalStateException(
        "the lock '" + lock.name() + "' is not held by this thread, or was lost", cause);
  }
}
