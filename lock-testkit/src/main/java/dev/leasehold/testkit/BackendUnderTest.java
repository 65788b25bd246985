package dev.leasehold.testkit;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.StoreServer;
import dev.leasehold.testkit.view.ServerView;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Describes a backend to the suite: how to open it, and how to inspect its store directly.
 *
 * <p>An implementation is a public class with a public constructor without parameters, so that
 * worker JVMs can create one too; {@link RedisBackend}, {@link ServiceBackend} and those of a table
 * ({@link Recipe#ofNamed}) need no class of their own. Thread-safe.
 */
public interface BackendUnderTest {

  /** Where a backend keeps its locks. */
  enum Reach {
    /** In this JVM's memory. Rules that need a second process or a server are not run. */
    PROCESS,
    /**
     * In a store that other processes can reach, other than Redis, such as a database. {@link
     * #startServer} supplies it; rules that access a Redis server are not run.
     */
    PROCESSES,
    /** On a Redis server, which the kit starts. */
    REDIS
  }

  /** The name in the report: "redis-set, plain". */
  String name();

  /** Where the backend keeps its locks. */
  Reach reach();

  /**
   * Starts a server for a backend of {@link Reach#PROCESSES}: one for the whole suite, and one more
   * for each rule that stops or kills its server. If servers cannot be started, return {@link
   * StoreServer#at}, the same one each time; those rules are then not run. The kit closes the
   * server.
   */
  default StoreServer startServer() {
    throw new UnsupportedOperationException(
        name() + " is of Reach." + reach() + " and does not say where: override startServer()");
  }

  /**
   * Opens a store. All stores of one address share their locks.
   *
   * @param address {@code redis://host:port} of the kit's server, or {@link StoreServer#uri()}; for
   *     a backend in memory, a text that identifies one shared memory
   */
  LeaseStore open(String address);

  /**
   * Opens a manager, by default the engine on {@link #open}. A backend with its own lock
   * implementation overrides this method; its {@link #open} throws, and {@link #hasStore()} is
   * false.
   *
   * @param tuning a rule's changes to the builder: time-outs, label, listener
   */
  default LockManager manager(String address, UnaryOperator<LockManager.Builder> tuning) {
    return LockBackend.engineOn(open(address), tuning);
  }

  /** Whether {@link #open} returns a store, so that rules can inject faults in front of it. */
  default boolean hasStore() {
    return true;
  }

  /**
   * The most by which a lease may outlast the requested time on the store, for example by rounding
   * to whole seconds. The suite's bounds allow for it.
   */
  default Duration linger() {
    return Duration.ZERO;
  }

  /**
   * The number of independent servers that one lock uses: 1, or the nodes of a quorum, whose
   * addresses are then given separated by commas.
   */
  default int nodes() {
    return 1;
  }

  /**
   * Marks a quorum's server as one on which no lock was held before. Called for each server that
   * the kit starts, and whenever the kit has erased its data.
   */
  default void admit(RedisServer server) {}

  /**
   * This backend for leases of at most this length: after a restart, a quorum's nodes need not
   * abstain from votes for longer. Used by rules that wait for that.
   */
  default BackendUnderTest longestLease(Duration longest) {
    return this;
  }

  /** A direct view of the backend's store; empty if there is none. The suite closes it. */
  Optional<ServerView> view(String address);

  /**
   * A quorum like the one under test, over the given nodes. Used by the rules of {@link
   * dev.leasehold.lock.Guarantee#QUORUM}, which make nodes fail one by one.
   *
   * @param nodes at least three, not started
   * @return the quorum, not started; it starts and closes its nodes. Empty if the backend has no
   *     quorum
   */
  default Optional<LeaseStore> quorum(List<? extends LeaseStore> nodes) {
    return Optional.empty();
  }

  /**
   * Prepares an election on one of its locks: the API's own, unless a backend supplies another. The
   * rules for elections are checked on the result.
   */
  default LeaderElection.Builder election(DistributedLock lock) {
    return LeaderElection.on(lock);
  }

  /**
   * Combines several locks of a manager into one: by the manager itself, unless a backend supplies
   * another way. The rules for several locks are checked on the result.
   */
  default DistributedLock all(LockManager manager, Collection<String> names, LockOptions options) {
    return manager.all(names, options);
  }

  /**
   * Combines several locks, possibly of several managers, into one: by {@link DistributedLock#all},
   * unless a backend supplies another way. A backend that overrides {@link #all(LockManager,
   * Collection, LockOptions)} usually overrides this too.
   *
   * @param locks at least one, in the order of the lease's parts
   */
  default DistributedLock all(List<DistributedLock> locks) {
    return DistributedLock.all(locks.toArray(DistributedLock[]::new));
  }

  /** A text from which a worker JVM creates an equal backend by {@link Recipe#make}. */
  default String recipe() {
    return Recipe.ofClass(getClass());
  }
}
