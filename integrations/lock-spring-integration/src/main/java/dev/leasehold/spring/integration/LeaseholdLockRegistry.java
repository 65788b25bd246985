package dev.leasehold.spring.integration;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
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
   * Renews a lock of this thread's: a fixed lease has its full length again, by the registry's
   * options or else the manager's; any other is renewed by Leasehold anyway. Blocks for a round
   * trip or two. A lock that is free is not taken, unless it becomes free in between: then it is
   * given back at once.
   *
   * @throws IllegalStateException if the thread does not hold it; caused by a {@link
   *     LeaseLostException} if it has lost it
   */
  @Override
  public void renewLock(Object lockKey) {
    renew(lockKey, Optional.empty());
  }

  /**
   * Has a lock of this thread's last this long from now at least; it is never shortened. Of Spring
   * Integration 7. Otherwise as {@link #renewLock(Object)}.
   *
   * @throws IllegalStateException as {@link #renewLock(Object)}
   */
  public void renewLock(Object lockKey, Duration ttl) {
    renew(lockKey, Optional.of(ttl));
  }

  private void renew(Object lockKey, Optional<Duration> ttl) {
    DistributedLock lock = lock(lockKey);
    HolderInfo holder = lock.inspect().orElseThrow(() -> notHeld(lock, null));
    // Re-enters, if this thread holds it; by that a fixed lease has its full length again.
    try (Lease lease = lock.tryAcquire().orElseThrow(() -> notHeld(lock, null))) {
      // Without tokens the next renewal tells that another has it.
      OptionalLong theirs = holder.fencingToken();
      boolean another = theirs.isPresent() && theirs.getAsLong() > lease.fencingToken();
      if (another || lease.holdCount() < 2 || !ttl.map(lease::extend).orElse(true)) {
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
