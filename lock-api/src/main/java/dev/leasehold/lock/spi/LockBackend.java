package dev.leasehold.lock.spi;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Makes stores from settings. Found by {@link java.util.ServiceLoader}: name it in {@code
 * module-info} and in {@code META-INF/services} alike. Needs a public constructor without
 * parameters. Stateless.
 */
public interface LockBackend {

  /** What the setting {@code lock.backend} calls it: "redis-set". */
  String id();

  /** Every key that this backend reads. */
  List<Setting<?>> settings();

  /**
   * Ids of backends that this one builds on. Where both are on the path and none is named, the
   * outer one wins.
   */
  default Set<String> buildsOn() {
    return Set.of();
  }

  /**
   * Whether it stands in for a real one, in tests. Such a backend takes part only where {@code
   * lock.backend} names it, and then bears the settings of the others on the path.
   */
  default boolean isStandIn() {
    return false;
  }

  /**
   * Refuses what {@link #open} would refuse before it connects: settings of its own that are right
   * each, and wrong together. Connects to nothing.
   *
   * @param settings maybe with keys that {@link #settings()} refuses; these are told anyway
   * @throws dev.leasehold.lock.LockConfigurationException that lists all problems, one a line, each
   *     with key, value and origin; see {@link Problems}
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
   * Opens a manager. The default puts the engine on {@link #open}'s store; override it to bring a
   * {@link dev.leasehold.lock.DistributedLock} of one's own.
   *
   * @param engine applies the settings, renewer and listeners that all backends have in common to
   *     an engine's builder
   */
  default LockManager manager(LockSettings settings, UnaryOperator<LockManager.Builder> engine) {
    return engineOn(open(settings), engine);
  }

  /**
   * Puts the engine on a store, and closes the store if that fails, whatever is thrown.
   *
   * @param engine as for {@link #manager}
   */
  static LockManager engineOn(LeaseStore store, UnaryOperator<LockManager.Builder> engine) {
    try {
      return engine.apply(LockManager.over(store)).build();
    } catch (RuntimeException | Error e) {
      try {
        store.close(); // again, if it came to the building: that does no harm
      } catch (RuntimeException | Error closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }
}
