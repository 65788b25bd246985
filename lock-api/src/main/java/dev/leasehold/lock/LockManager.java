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
 * Provides locks by name. An application needs one manager per store.
 *
 * <p>A manager owns the connection to its store, the threads that renew leases, and every hold
 * taken through it. Two managers contend with each other, even within one process.
 *
 * <p>Thread-safe. Blocks only in {@link #close()}.
 */
public interface LockManager extends AutoCloseable {

  /**
   * Returns the lock of this name with the manager's default options.
   *
   * <p>Cheap; no round trip. Equal names are the same lock, whichever object is used.
   *
   * @param name 1 to 512 bytes in UTF-8, of any characters except lone surrogates
   * @throws IllegalArgumentException if the name is empty, too long or not valid Unicode; the
   *     message names the value and the limit
   * @throws LockConfigurationException if the name is in use for another kind of lock, and the
   *     backend has one name space for all kinds (Redisson's keys)
   * @throws LockManagerClosedException if this manager is closed
   */
  DistributedLock lock(String name);

  /**
   * Returns the lock of this name, whose acquisitions use {@code options}. Options belong to the
   * acquisition, not to the lock: other holders of the name may use different ones.
   *
   * @throws IllegalArgumentException as {@link #lock(String)}
   * @throws LockConfigurationException as {@link #lock(String)}; or if the options have a
   *     {@linkplain LockOptions#atLeast() minimum hold} that this manager does not support, or a
   *     lease longer than a setting of its backend allows ({@code lock.redlock.longest-lease})
   * @throws LockManagerClosedException if this manager is closed
   */
  DistributedLock lock(String name, LockOptions options);

  /**
   * Returns the semaphore of this name with the manager's default options, without their minimum
   * hold. Cheap; no round trip.
   *
   * @param name as for {@link #lock(String)}; a semaphore and a lock of the same name are
   *     independent, unless the backend has one name space for all kinds
   * @param permits number of permits, 1 to 1 000 000, on a quorum to 10 000; all users of a name
   *     must agree on it
   * @throws IllegalArgumentException if name or number is out of range; the message names value and
   *     limit
   * @throws LockConfigurationException if this manager does not promise {@link Guarantee#PERMITS};
   *     the message names backends that do, or the page that lists them; or if the name is in use
   *     for another kind of lock, and the backend has one name space for all kinds
   * @throws LockManagerClosedException if this manager is closed
   */
  default DistributedSemaphore semaphore(String name, int permits) {
    throw lacks(Guarantee.PERMITS, "semaphores");
  }

  /**
   * Returns the semaphore of this name, whose acquisitions use {@code options}.
   *
   * @throws IllegalArgumentException as {@link #semaphore(String, int)}
   * @throws LockConfigurationException as {@link #semaphore(String, int)}, or if the options have a
   *     {@linkplain LockOptions#atLeast() minimum hold}, or too long a lease as in {@link
   *     #lock(String, LockOptions)}
   * @throws LockManagerClosedException if this manager is closed
   */
  default DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
    return semaphore(name, permits);
  }

  /**
   * Returns the locks of several names as one, with the manager's default options: an acquisition
   * takes all or none, as described at {@link DistributedLock#all}.
   *
   * <p>Where the manager promises {@link Guarantee#TOGETHER}, free names are taken in one step of
   * the store, by one round trip however many there are; a refused acquisition waits for one held
   * name and then asks for the rest in one step. All names then have one {@linkplain
   * Lease#fencingToken() fencing token}. They are taken one after another with a {@linkplain
   * LockOptions#atLeast() minimum hold}, by {@link DistributedLock#asLock()}, or if the store
   * cannot take several at once. A name that the owner already holds is re-entered and keeps its
   * own token, so there is no common one. Leases of several names are not handed over within the
   * process.
   *
   * <p>An abandoned hold of several names is not detected ({@link AbandonedHolds}): it is renewed
   * until it is released or its process ends.
   *
   * @param names 1 to 100, each as for {@link #lock(String)}; duplicates are ignored
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
   * As {@link #all(String...)}, with acquisitions that use {@code options}.
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
   * minimum hold. Cheap; no round trip.
   *
   * @param name as for {@link #lock(String)}; a read/write lock and a lock of the same name are
   *     independent, unless the backend has one name space for all kinds
   * @throws IllegalArgumentException as {@link #lock(String)}
   * @throws LockConfigurationException if this manager does not promise {@link Guarantee#SHARED};
   *     the message names backends that do, or the page that lists them; or if the name is in use
   *     for another kind of lock, and the backend has one name space for all kinds
   * @throws LockManagerClosedException if this manager is closed
   */
  default DistributedReadWriteLock readWriteLock(String name) {
    throw lacks(Guarantee.SHARED, "read/write locks");
  }

  /**
   * Returns the read/write lock of this name, whose acquisitions use {@code options}.
   *
   * @throws IllegalArgumentException as {@link #lock(String)}
   * @throws LockConfigurationException as {@link #readWriteLock(String)}, or if the options have a
   *     {@linkplain LockOptions#atLeast() minimum hold}, or too long a lease as in {@link
   *     #lock(String, LockOptions)}
   * @throws LockManagerClosedException if this manager is closed
   */
  default DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
    return readWriteLock(name);
  }

  /**
   * Returns the latch of this name. Cheap; no round trip.
   *
   * @param name as for {@link #lock(String)}; a latch and a lock of the same name are independent,
   *     unless the backend has one name space for all kinds
   * @throws IllegalArgumentException as {@link #lock(String)}
   * @throws LockConfigurationException if this manager does not promise {@link Guarantee#LATCH};
   *     the message names backends that do, or the page that lists them; or if the name is in use
   *     for another kind of lock, and the backend has one name space for all kinds
   * @throws LockManagerClosedException if this manager is closed
   */
  default DistributedLatch latch(String name) {
    throw lacks(Guarantee.LATCH, "latches");
  }

  private static LockConfigurationException lacks(Guarantee promise, String kind) {
    return new LockConfigurationException(
        "this manager does not promise "
            + promise
            + ", since its backend implements its own locks and has no "
            + kind
            + ". Use a backend that has them: docs/kinds.md lists these");
  }

  /** The guarantees of this manager with its backend and settings. Never changes. */
  Set<Guarantee> guarantees();

  /**
   * Closes this manager: fails its waiters with {@link LockManagerClosedException}, signals its
   * leases as lost with reason {@link LeaseLoss.Reason#CLOSED}, gives holders {@linkplain
   * Builder#closeGrace a settable time} to release, and then closes its store.
   *
   * <p>Never frees a lock under running code: a lease that is not released by then expires. Blocks
   * for at most the grace time plus one command time-out; an interrupt ends the wait for holders
   * early, and the flag is kept. The first call closes the manager; later calls return at once.
   */
  @Override
  void close();

  /**
   * Opens a manager on the backend found by {@link java.util.ServiceLoader}.
   *
   * <p>If only one backend is on the path, it is used; several require the setting {@code
   * lock.backend}.
   *
   * @throws LockConfigurationException if there is no backend, if several compete, or if a setting
   *     is wrong; the message lists every problem with the values allowed
   * @throws LockStoreException if the store can't be reached or refuses
   */
  static LockManager open(LockSettings settings) {
    return opener(settings).open();
  }

  /** As {@link #open}, with custom parts that settings cannot express. */
  static Opener opener(LockSettings settings) {
    return new Discovery(settings);
  }

  /** Builds a manager on any store. The manager owns the store and closes it. */
  static Builder over(LeaseStore store) {
    return new EngineBuilder(store);
  }

  /** Opens a manager on the backend found on the path. Not thread-safe. */
  interface Opener {

    /**
     * Changes the engine's builder after the settings and the discovered renewer and listeners have
     * been applied to it, so these changes take precedence.
     */
    Opener engine(UnaryOperator<Builder> changes);

    /**
     * The quorum arithmetic of a backend on several nodes, in place of the policy from its settings
     * or {@link java.util.ServiceLoader}. An error with a backend on one store.
     */
    Opener quorum(QuorumPolicy policy);

    /**
     * Uses this backend and ignores others on the path, for example to use a client that the
     * application already has.
     */
    Opener backend(LockBackend backend);

    /**
     * Id of the backend to be opened: the one given, the one named by the settings, or the only
     * one.
     *
     * @throws LockConfigurationException as {@link #check()}
     */
    String backendId();

    /**
     * Reports every problem with the settings that can be detected without connecting. Blocks only
     * for class loading and for files that settings name.
     *
     * @throws LockConfigurationException as {@link LockManager#open}
     */
    void check();

    /**
     * Opens the manager. Blocks while it connects; for a quorum, until every node has answered or
     * failed.
     *
     * @throws LockConfigurationException as {@link LockManager#open}
     * @throws LockStoreException if the store can't be reached or refuses
     */
    LockManager open();
  }

  /** Builds a manager on a store. Each setter replaces a safe default. Not thread-safe. */
  interface Builder {

    /** Options of locks that are requested without any. Default: {@link LockOptions#defaults()}. */
    Builder defaults(LockOptions options);

    /** When and how leases are renewed. Default: the watchdog, at a third of the lease. */
    Builder renewer(LeaseRenewer renewer);

    /** The monotonic clock behind every deadline. Default: {@link System#nanoTime()}. */
    Builder ticker(Ticker ticker);

    /**
     * Runs timers: those of waiters, of repeated requests, and of the store. Not closed by the
     * manager. If it refuses a timer, a timer thread of the manager runs that one and all pending
     * ones. Waiters are late while it is busy, so share it only with code that does not keep it so.
     * Calls still end in time, and leases are renewed and found to be lost, by the manager's own
     * timer, unless a {@link #ticker} is given too: then these timers, too, run here. Default: one
     * daemon thread of the manager.
     */
    Builder scheduler(Scheduler scheduler);

    /**
     * Runs user code: listeners, and dependents of asynchronous calls and of {@link Lease#lost()}.
     * No engine work runs there, so a callback can delay only other callbacks, never a renewal, a
     * time-out or the deadline of a lease.
     *
     * <p>Threads of the manager that serve only callbacks submit the tasks, so the executor may run
     * them in the caller, as {@code Runnable::run} does, block, refuse or throw. A refused task
     * runs on the submitting thread, which is logged once; a task that is accepted but never run is
     * lost. Not closed by the manager. Default: those threads, which are daemons and end when idle;
     * at most 64, or up to 1024 if all are stuck.
     */
    Builder executor(Executor executor);

    /**
     * Runs the engine's own work: renewals, time-outs and blocking store calls; and callbacks, if
     * no {@link #executor} is given. Only simulations should replace it: a busy executor causes
     * leases to be lost. It must not run tasks in the caller. Not closed by the manager. Default:
     * threads of the manager that run nothing else.
     */
    Builder workers(Executor workers);

    /** Source of jitter; not used for tokens, which come from a secure source. */
    Builder random(RandomGenerator random);

    /**
     * Source of the random part of tokens, 16 bytes each. Only simulations should replace the
     * secure default.
     */
    Builder tokenRandom(RandomGenerator random);

    /**
     * Adds a listener. Listeners found by {@link java.util.ServiceLoader} are added by {@code
     * open}.
     */
    Builder listener(LockListener listener);

    /**
     * The name under which {@link HolderInfo} shows this manager's holds; 1 to 64 characters of
     * {@code [A-Za-z0-9._@-]}. Default: host, process id and four random characters.
     */
    Builder label(String label);

    /** The longest that one store call may take. Default 2 s; 1 ms to 1 h. */
    Builder commandTimeout(Duration timeout);

    /**
     * How long an acquisition without a time limit tolerates an unreachable store before it throws
     * {@link LockStoreException}. Default 10 s; 1 ms to 1 day.
     */
    Builder storeTimeout(Duration timeout);

    /** What happens to holds that can no longer be released. Default: they are kept. */
    Builder abandoned(AbandonedHolds what);

    /**
     * Records the stack trace of each acquisition, to log it for an abandoned hold or one that a
     * close waits for. Off by default, since it costs some microseconds and a kilobyte for each.
     */
    Builder recordAcquisitions();

    /**
     * How long this manager keeps a lease on the store after its last holder in this process has
     * released it. Default 0: not at all. At most 10 s.
     *
     * <p>Within this time the process takes the lock again without a round trip, with a larger
     * fencing token. Another process that wants the lock recalls the lease, which costs it about
     * one more round trip. Meanwhile the released lock looks held to {@link
     * DistributedLock#inspect}. A process that dies with such a lease delays the others by the rest
     * of the lease, as one that dies while it holds the lock; a lost recall delays them by at most
     * this time.
     *
     * <p>It applies to locks with automatic renewal and no minimum hold; not to semaphores,
     * read/write locks and locks of several names. Needs {@link Guarantee#LINGER}.
     *
     * @throws IllegalArgumentException if out of range
     */
    Builder linger(Duration linger);

    /** How long {@link LockManager#close()} waits for holders. Default 5 s; 0 to 1 h. */
    Builder closeGrace(Duration grace);

    /**
     * Opens the manager.
     *
     * @throws LockException if the store's {@link LeaseStore#start} throws it
     */
    LockManager build();
  }
}
