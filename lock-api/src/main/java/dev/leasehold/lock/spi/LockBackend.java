package dev.leasehold.lock.spi;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Creates stores from settings. Found by {@link java.util.ServiceLoader}: declare it both in {@code
 * module-info} and in {@code META-INF/services}. Requires a public constructor without parameters.
 * Stateless.
 */
public interface LockBackend {

  /** The backend's id in the setting {@code lock.backend}, such as "redis-set". */
  String id();

  /** Every key that this backend reads. */
  List<Setting<?>> settings();

  /**
   * Ids of backends that this one builds on. If both are on the path and the settings name neither,
   * this one is used.
   */
  default Set<String> buildsOn() {
    return Set.of();
  }

  /**
   * Whether this backend stands in for a real one in tests. A stand-in is used only where {@code
   * lock.backend} names it, and then tolerates settings of the other backends on the path.
   */
  default boolean isStandIn() {
    return false;
  }

  /**
   * Makes the checks that {@link #open} makes before it connects: refuses settings that are valid
   * individually but contradict each other. Does not connect.
   *
   * @param settings may contain values that {@link #settings()} refuses; those are reported anyway
   * @throws dev.leasehold.lock.LockConfigurationException that lists all problems, one per line,
   *     each with key, value and origin; see {@link Problems}
   */
  default void check(LockSettings settings) {}

  /**
   * Opens a store. Blocks until the store has answered once.
   *
   * @param settings already checked against {@link #settings()} and by {@link #check}
   * @throws dev.leasehold.lock.LockConfigurationException if settings contradict one another
   * @throws dev.leasehold.lock.LockStoreException if the store can't be reached or refuses
   */
  LeaseStore open(LockSettings settings);

  /**
   * Opens a manager. The default puts the engine on {@link #open}'s store; override it to supply
   * your own implementation of {@link dev.leasehold.lock.DistributedLock}.
   *
   * @param engine applies the settings, renewer and listeners common to all backends to an engine's
   *     builder
   */
  default LockManager manager(LockSettings settings, UnaryOperator<LockManager.Builder> engine) {
    return engineOn(open(settings), engine);
  }

  /**
   * Builds a manager on a store, and closes the store if that fails with any exception or error.
   *
   * @param engine as for {@link #manager}
   */
  static LockManager engineOn(LeaseStore store, UnaryOperator<LockManager.Builder> engine) {
    try {
      return engine.apply(LockManager.over(store)).build();
    } catch (RuntimeException | Error e) {
      try {
        store.close(); // possibly for the second time, which is harmless
      } catch (RuntimeException | Error closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }
}
