package dev.leasehold.shedlock;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * ShedLock's locks from a {@link LockManager}:
 * <!-- given: LockManager locks -->
 *
 * <pre>{@code
 * net.javacrumbs.shedlock.core.LockProvider provider =
 *     new dev.leasehold.shedlock.LeaseholdLockProvider(locks);
 * }</pre>
 *
 * <p>{@code lockAtMostFor} is a fixed lease, {@code lockAtLeastFor} the minimum hold; durations
 * count from the grant, by the store's clock. As with all of ShedLock's providers locks don't
 * re-enter, any thread may unlock, and a lock that is taken is an empty {@link Optional}. A store
 * that can't be reached is {@link LockStoreException}, so that the job does not run and that is
 * told.
 *
 * <p>The locks are {@link LeaseholdLock}s, which have the lease: for its fencing token, and to be
 * told when it is lost. Thread-safe. Never closes the manager.
 */
public final class LeaseholdLockProvider implements ExtensibleLockProvider {
  private final LockManager manager;

  /** On the locks of a manager, which is closed by whoever made it. */
  public LeaseholdLockProvider(LockManager manager) {
    this.manager = Objects.requireNonNull(manager, "manager");
  }

  /**
   * Tries to take a lock, once. Blocks for one call to the store.
   *
   * @throws LockStoreException if the store can't be reached or refuses
   * @throws dev.leasehold.lock.LockConfigurationException if {@code lockAtLeastFor} is set, and the
   *     manager's backend can't keep a minimum hold
   */
  @Override
  public Optional<SimpleLock> lock(LockConfiguration configuration) {
    LockOptions options =
        LockOptions.builder()
            .fixedLease(atMost(configuration))
            .atLeast(configuration.getLockAtLeastFor())
            .build();
    return manager
        .lock(configuration.getName(), options)
        .as(LockOwner.named("ShedLock: " + configuration.getName()))
        .tryAcquire()
        .map(lease -> new LeaseholdLock(configuration, lease));
  }

  /** A lease has a least length; ShedLock's may be shorter, or nothing. */
  static Duration atMost(LockConfiguration configuration) {
    Duration asked = configuration.getLockAtMostFor();
    return asked.compareTo(LockOptions.SHORTEST_LEASE) < 0 ? LockOptions.SHORTEST_LEASE : asked;
  }
}
