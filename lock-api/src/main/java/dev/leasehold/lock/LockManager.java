package dev.leasehold.lock;

import dev.leasehold.lock.internal.EngineBuilder;
import dev.leasehold.lock.internal.config.Discovery;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Gives locks by name; one per application and store.
 *
 * <p>A manager owns the connection to its store, the threads that renew leases, and every hold
 * taken through it. Two managers are two contenders, also within one process.
 *
 * <p>Thread-safe. Blocks only in {@link #close()}.
 */
public interface LockManager extends AutoCloseable {

  /**
   * Returns the lock of this name with the manager's default options.
   *
   * <p>Cheap and without a round trip: equal names are the same lock, whichever object they are
   * reached through.
   *
   * @param name 1 to 512 bytes in UTF-8, of any characters but lone surrogates
   * @throws IllegalArgumentException if the name is empty, too long or not valid Unicode; the
   *     message names the value and the limit
   * @throws LockConfigurationException if it was asked for another kind of the name, and its
   *     backend has one name space for all (Redisson's keys)
   * @throws LockManagerClosedException if this manager is closed
   */
  DistributedLock lock(String name);

  /**
   * Returns the lock of this name, whose acquisitions use {@code options}. Options belong to the
   * acquisition, not to the lock: other holders of the name may use others.
   *
   * @throws IllegalArgumentException as {@link #lock(String)}
   * @throws LockConfigurationException as there; or if the options have a {@linkplain
   *     LockOptions#atLeast() minimum hold} that this manager can't keep, or a lease that is longer
   *     than a setting of its backend allows ({@code lock.redlock.longest-lease})
   * @throws LockManagerClosedException if this manager is closed
   */
  DistributedLock lock(String name, LockOptions options);

  /**
   * Returns the semaphore of this name with the manager's default options, without their minimum
   * hold. Cheap and without a round trip.
   *
   * @param name as for {@link #lock(String)}; a semaphore and a lock of one name are strangers, but
   *     where a backend has one name space for all kinds
   * @param permits how many permits there are, 1 to 10 000; all users of a name agree on it
   * @throws IllegalArgumentException if name or number is out of range; the message names value and
   *     limit
   * @throws LockConfigurationException if this manager does not promise {@link Guarantee#PERMITS};
   *     the message names backends that do; or if it was asked for another kind of the name, and
   *     its backend has one name space for all
   * @throws LockManagerClosedException if this manager is closed
   */
  default DistributedSemaphore semaphore(String name, int permits) {
    throw new LockConfigurationException(
        "this manager brings locks of its own, and no semaphores; those of redis-set have them");
  }

  /**
   * Returns the semaphore of this name, whose acquisitions use {@code options}.
   *
   * @throws IllegalArgumentException as {@link #semaphore(String, int)}
   * @throws LockConfigurationException as there, or if the options have a {@linkplain
   *     LockOptions#atLeast() minimum hold}, or a lease as in {@link #lock(String, LockOptions)}
   * @throws LockManagerClosedException if this manager is closed
   */
  default DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
    return semaphore(name, permits);
  }

  /**
   * Returns the locks of several names as one, with the manager's default options: an acquisition
   * takes all or none, as {@link DistributedLock#all} tells.
   *
   * <p>Where the manager promises {@link Guarantee#TOGETHER}, names that are free are taken in one
   * step of the store: by one round trip, however many there are. Who is refused waits for one that
   * is held, and then asks for the rest in one step. All names have one {@linkplain
   * Lease#fencingToken() fencing token}. One after another they are taken with a {@linkplain
   * LockOptions#atLeast() minimum hold}, by {@link DistributedLock#asLock()}, and if the store
   * itself refuses to take several. A name that the owner holds already is re-entered: it keeps its
   * own token, so that there is none for all. Their leases are not handed over within the process.
   *
   * <p>Such a hold is not found abandoned ({@link AbandonedHolds}): it is renewed until it is
   * released, or its process ends.
   *
   * @param names 1 to 100, each as for {@link #lock(String)}; a name that comes again is left aside
   * @throws IllegalArgumentException as {@link #lock(String)}, or if there are none or too many
   * @throws LockManagerClosedException if this manager is closed
   */
  default DistributedLock all(String... names) {
    return DistributedLock.all(
        Stream.of(Objects.requireNonNull(names, "names"))
            .distinct()
            .map(this::lock)
            .toArray(DistributedLock[]::new));
  }

  /**
   * The same, whose acquisitions use {@code options}.
   *
   * @throws IllegalArgumentException as {@link #all(String...)}
   * @throws LockConfigurationException as {@link #lock(String, LockOptions)}
   * @throws LockManagerClosedException if this manager is closed
   */
  default DistributedLock all(Collection<String> names, LockOptions options) {
    return DistributedLock.all(
        Objects.requireNonNull(names, "names").stream()
            .distinct()
            .map(name -> lock(name, options))
            .toArray(DistributedLock[]::new));
  }

  /**
   * Returns the read/write lock of this name with the manager's default options, without their
   * minimum hold. Cheap and without a round trip.
   *
   * @param name as for {@link #lock(String)}; a read/write lock and a lock of one name are
   *     strangers, but where a backend has one name space for all kinds
   * @throws IllegalArgumentException as {@link #lock(String)}
   * @throws LockConfigurationException if this manager does not promise {@link Guarantee#SHARED};
   *     the message names backends that do; or if it was asked for another kind of the name, and
   *     its backend has one name space for all
   * @throws LockManagerClosedException if this manager is closed
   */
  default DistributedReadWriteLock readWriteLock(String name) {
    throw new LockConfigurationException(
        "this manager brings locks of its own, and no read/write locks; those of redis-set have"
            + " them");
  }

  /**
   * Returns the read/write lock of this name, whose acquisitions use {@code options}.
   *
   * @throws IllegalArgumentException as {@link #lock(String)}
   * @throws LockConfigurationException as {@link #readWriteLock(String)}, or if the options have a
   *     {@linkplain LockOptions#atLeast() minimum hold}, or a lease as in {@link #lock(String,
   *     LockOptions)}
   * @throws LockManagerClosedException if this manager is closed
   */
  default DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
    return readWriteLock(name);
  }

  /**
   * Returns the latch of this name. Cheap and without a round trip.
   *
   * @param name as for {@link #lock(String)}; a latch and a lock of one name are strangers
   * @throws IllegalArgumentException as {@link #lock(String)}
   * @throws LockConfigurationException if this manager does not promise {@link Guarantee#LATCH};
   *     the message names backends that do
   * @throws LockManagerClosedException if this manager is closed
   */
  default DistributedLatch latch(String name) {
    throw new LockConfigurationException(
        "this manager brings locks of its own, and no latches; those of redis-set have them");
  }

  /** What this manager keeps, with its backend and settings. Never changes. */
  Set<Guarantee> guarantees();

  /**
   * Closes this manager: fails its waiters with {@link LockManagerClosedException}, signals its
   * leases as lost with reason {@link LeaseLoss.Reason#CLOSED}, gives holders {@linkplain
   * Builder#closeGrace a settable time} to release, and then closes its store.
   *
   * <p>It never frees a lock under running code: what is not released by then expires by its lease.
   * Blocks for at most the grace time plus one command time-out; an interrupt ends the wait for
   * holders early and is kept. The first call closes it, and any other returns at once.
   */
  @Override
  void close();

  /**
   * Opens a manager on the backend found by {@link java.util.ServiceLoader}.
   *
   * <p>One backend on the path wins. Several need the setting {@code lock.backend}.
   *
   * @throws LockConfigurationException if there is no backend, if several compete, or if a setting
   *     is wrong: the message tells every problem at once, with what is allowed
   * @throws LockStoreException if the store can't be reached or refuses
   */
  static LockManager open(LockSettings settings) {
    return opener(settings).open();
  }

  /** As {@link #open}, with parts of one's own besides what settings can say. */
  static Opener opener(LockSettings settings) {
    return new Discovery(settings);
  }

  /** Puts the engine on any store. The manager built owns the store and closes it. */
  static Builder over(LeaseStore store) {
    return new EngineBuilder(store);
  }

  /** Opens a manager on the backend found on the path. Not thread-safe. */
  interface Opener {

    /**
     * Changes the engine's builder, after the settings, the renewer and the listeners that were
     * found have been applied to it: what is set here wins.
     */
    Opener engine(UnaryOperator<Builder> changes);

    /**
     * The arithmetic of a backend on several nodes, in place of what its settings and {@link
     * java.util.ServiceLoader} say. With a backend on one store it is an error.
     */
    Opener quorum(QuorumPolicy policy);

    /**
     * This backend, and no look at what else is on the path: for stores on a client that the
     * application has already.
     */
    Opener backend(LockBackend backend);

    /**
     * Looks for everything that is wrong with the settings and can be told without connecting:
     * blocks for nothing but class loading and files that settings name.
     *
     * @throws LockConfigurationException as {@link LockManager#open}
     */
    void check();

    /**
     * Opens it.
     *
     * @throws LockConfigurationException as {@link LockManager#open}
     * @throws LockStoreException if the store can't be reached or refuses
     */
    LockManager open();
  }

  /**
   * Builds a manager over a store. Every setter replaces a default that is safe; not thread-safe.
   */
  interface Builder {

    /** Options of locks that are asked for without any. Default: {@link LockOptions#defaults()}. */
    Builder defaults(LockOptions options);

    /** When and how leases are kept alive. Default: the watchdog, a third of the lease. */
    Builder renewer(LeaseRenewer renewer);

    /** The monotonic clock behind every deadline. Default: {@link System#nanoTime()}. */
    Builder ticker(Ticker ticker);

    /**
     * What runs timers. Not closed by the manager. If it refuses one, a timer of the manager's own
     * runs that one, and all that wait. It decides when leases are lost: lend it nobody who keeps
     * it busy. Calls end in time by the manager's own timer all the same, unless a {@link #ticker}
     * is given, too. Default: one daemon thread of the manager.
     */
    Builder scheduler(Scheduler scheduler);

    /**
     * What runs the user's code: listeners, and what depends on asynchronous calls and {@link
     * Lease#lost()}. Nothing of the engine's own runs there, so no callback can delay a renewal, a
     * time-out or the deadline of a lease, but only other callbacks.
     *
     * <p>Tasks are handed to it by threads of the manager that are there for callbacks alone: it
     * may run them at once, as {@code Runnable::run} does, block, refuse or throw. What it refuses
     * runs on the thread that handed it over, and that is logged once; what it takes and never runs
     * is lost. Not closed by the manager. Default: those threads, which are daemons and end when
     * idle; at most 64, but where these are all stuck up to 1024.
     */
    Builder executor(Executor executor);

    /**
     * What runs the engine's own work: renewals, time-outs, store calls that block; and callbacks,
     * where no {@link #executor} is given. Only simulations should replace it, since whatever
     * occupies it costs leases; it must not run tasks in its caller. Not closed by the manager.
     * Default: threads of the manager that run nothing else.
     */
    Builder workers(Executor workers);

    /** Source of jitter. Tokens always come from a secure source. */
    Builder random(RandomGenerator random);

    /** Source of the random part of tokens: 16 bytes each. Only simulations should replace it. */
    Builder tokenRandom(RandomGenerator random);

    /**
     * Adds a listener. Those found by {@link java.util.ServiceLoader} are added at {@code open}.
     */
    Builder listener(LockListener listener);

    /**
     * The name under which {@link HolderInfo} shows this manager's holds; 1 to 64 characters of
     * {@code [A-Za-z0-9._@-]}. Default: host, process id and four random characters.
     */
    Builder label(String label);

    /** The longest one store call may take. Default 2 s; 1 ms to 1 h. */
    Builder commandTimeout(Duration timeout);

    /**
     * How long an acquisition without a time of its own bears a store that can't be reached, before
     * it throws {@link LockStoreException}. Default 10 s; 1 ms to 1 day.
     */
    Builder storeTimeout(Duration timeout);

    /** What becomes of holds that nobody can release any more. Default: they are kept. */
    Builder abandoned(AbandonedHolds what);

    /**
     * Has each acquisition's stack trace recorded: for the log of a hold that is abandoned, or that
     * a close has to wait for. Off by default, since it costs some microseconds and a kilobyte.
     */
    Builder recordAcquisitions();

    /** How long {@link LockManager#close()} waits for holders. Default 5 s; 0 to 1 h. */
    Builder closeGrace(Duration grace);

    /**
     * Opens the manager.
     *
     * @throws LockException what the store's {@link LeaseStore#start} throws
     */
    LockManager build();
  }
}
