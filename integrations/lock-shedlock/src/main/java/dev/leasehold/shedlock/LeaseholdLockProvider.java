package dev.leasehold.shedlock;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A ShedLock lock provider on a {@link LockManager}:
 * <!-- given: LockManager locks -->
 *
 * <pre>{@code
 * net.javacrumbs.shedlock.core.LockProvider provider =
 *     new dev.leasehold.shedlock.LeaseholdLockProvider(locks);
 * }</pre>
 *
 * <p>{@code lockAtMostFor} is a fixed lease, {@code lockAtLeastFor} the minimum hold; durations
 * count from the grant, by the store's clock. As with all ShedLock providers, locks are not
 * re-entrant, any thread may unlock, and contention gives an empty {@link Optional}. An unreachable
 * store causes {@link LockStoreException}, so the job does not run and the failure is reported.
 *
 * <p>The locks are {@link LeaseholdLock}s, which give access to the lease, its fencing token and
 * its loss signal. Thread-safe. Never closes the manager.
 */
public final class LeaseholdLockProvider implements ExtensibleLockProvider {
  private final BiFunction<String, LockOptions, DistributedLock> locks;

  /** Creates a provider on a manager, which the caller closes. */
  public LeaseholdLockProvider(LockManager manager) {
    this(Objects.requireNonNull(manager, "manager")::lock);
  }

  /**
   * Creates a provider on locks that the application supplies: with other names, or combining two
   * managers while instances of a previous version still run.
   *
   * @param locks returns the lock of a job, given the job's name and the options to apply
   */
  public LeaseholdLockProvider(BiFunction<String, LockOptions, DistributedLock> locks) {
    this.locks = Objects.requireNonNull(locks, "locks");
  }

  /**
   * Tries once to acquire a lock. Blocks for one call to the store.
   *
   * @throws LockStoreException if the store is unreachable or refuses
   * @throws dev.leasehold.lock.LockConfigurationException if {@code lockAtLeastFor} is set, and the
   *     manager's backend does not support a minimum hold
   */
  @Override
  public Optional<SimpleLock> lock(LockConfiguration configuration) {
    LockOptions options =
        LockOptions.builder()
            .fixedLease(atMost(configuration))
            .atLeast(configuration.getLockAtLeastFor())
            .build();
    return locks
        .apply(configuration.getName(), options)
        .as(LockOwner.unique("ShedLock: " + configuration.getName()))
        .tryAcquire()
        .map(lease -> new LeaseholdLock(configuration, lease));
  }

  /** A lease has a minimum length; ShedLock's may be shorter, or zero. */
  static Duration atMost(LockConfiguration configuration) {
    Duration asked = configuration.getLockAtMostFor();
    return asked.compareTo(LockOptions.SHORTEST_LEASE) < 0 ? LockOptions.SHORTEST_LEASE : asked;
  }
}
