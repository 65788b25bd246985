package dev.leasehold.testkit;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.view.ServerView;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What the suite must know of a backend: how to open it, and how to look behind it.
 *
 * <p>An implementation is a public class with a public constructor without parameters, so that
 * worker JVMs can make one too; {@link RedisBackend} needs no class at all. Thread-safe.
 */
public interface BackendUnderTest {

  /** Where a backend keeps its locks. */
  enum Reach {
    /** In this JVM's memory: rules that need a second process or a server are not run. */
    PROCESS,
    /** On a Redis server, which the kit starts. */
    REDIS
  }

  /** What the report calls it: "redis-set, plain". */
  String name();

  /** Where it keeps its locks. */
  Reach reach();

  /**
   * Opens a store. All stores of one address share their locks.
   *
   * @param address {@code redis://host:port} of the kit's server; of a backend in memory, some text
   *     that stands for one shared memory
   */
  LeaseStore open(String address);

  /**
   * Opens a manager. By default the engine on {@link #open}; a backend that brings locks of its own
   * overrides it, {@link #open} throws, and {@link #hasStore()} is false.
   *
   * @param tuning what a rule wants of the builder: time-outs, label, listener
   */
  default LockManager manager(String address, UnaryOperator<LockManager.Builder> tuning) {
    return LockBackend.engineOn(open(address), tuning);
  }

  /** Whether {@link #open} gives a store, so that rules can put faults in front of it. */
  default boolean hasStore() {
    return true;
  }

  /**
   * How much longer than asked a lease may last on the store, at most: what rounding comes to where
   * a store counts whole seconds, say. The suite's bounds bear it.
   */
  default Duration linger() {
    return Duration.ZERO;
  }

  /**
   * How many independent servers one lock is on: 1, or the nodes of a quorum. Then the address is
   * that of each, separated by commas.
   */
  default int nodes() {
    return 1;
  }

  /**
   * Tells a server of a quorum that no lock was held on it before. Called for each that the kit has
   * started, and whenever it has had it forget its data.
   */
  default void admit(RedisServer server) {}

  /**
   * The same for users who never take a longer lease than this: a quorum's nodes then need not keep
   * out of votes for longer after a restart. Rules that wait for that ask for it.
   */
  default BackendUnderTest longestLease(Duration longest) {
    return this;
  }

  /** Looks behind the backend; empty where that can't be done. The suite closes it. */
  Optional<ServerView> view(String address);

  /**
   * A quorum like the one under test, over given nodes: for the rules of {@link
   * dev.leasehold.lock.Guarantee#QUORUM}, which need nodes that can be broken one by one.
   *
   * @param nodes at least three, not started
   * @return not started; it starts and closes its nodes. Empty if the backend makes no quorum
   */
  default Optional<LeaseStore> quorum(List<? extends LeaseStore> nodes) {
    return Optional.empty();
  }

  /**
   * Prepares an election by one of its locks. The API's own, unless a backend brings another: the
   * rules of elections are checked on what this returns.
   */
  default LeaderElection.Builder election(DistributedLock lock) {
    return LeaderElection.on(lock);
  }

  /**
   * Several locks of a manager as one. The manager's own, unless a backend brings another: the
   * rules of several locks at once are checked on what this returns.
   */
  default DistributedLock all(LockManager manager, Collection<String> names, LockOptions options) {
    return manager.all(names, options);
  }

  /**
   * Several locks as one, also of several managers. The API's own {@link DistributedLock#all},
   * unless a backend brings another: whoever overrides {@link #all(LockManager, Collection,
   * LockOptions)} mostly overrides this, too.
   *
   * @param locks at least one, in the order of the lease's parts
   */
  default DistributedLock all(List<DistributedLock> locks) {
    return DistributedLock.all(locks.toArray(DistributedLock[]::new));
  }

  /** How a worker JVM makes one like this: the text that {@link Recipe#make} understands. */
  default String recipe() {
    return Recipe.ofClass(getClass());
  }
}
