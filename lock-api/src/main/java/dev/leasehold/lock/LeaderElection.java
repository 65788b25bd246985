package dev.leasehold.lock;

import dev.leasehold.lock.internal.election.ElectionBuilder;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A candidate that stands for election repeatedly until it is closed: the holder of the lock is the
 * leader. For work that must run in exactly one of several processes.
 * <!-- given: LockManager locks, Runnable start, Runnable stop -->
 *
 * <pre>{@code
 * LeaderElection election =
 *     LeaderElection.on(locks.lock("scheduler"))
 *         .elected(lease -> start.run())
 *         .resigned(why -> stop.run())
 *         .start();
 * }</pre>
 *
 * <p>Leadership begins with the {@code elected} callback and continues after it returns, until the
 * lease is lost or released, the callback throws, or the election is closed. Then {@code resigned}
 * is called, once for each {@code elected} and on another thread, so a leader learns by its lease's
 * deadline that it no longer leads, whatever its callback does and even if the store never answers
 * again. While {@code resigned} runs the lease is kept, and the lock is free for the next leader
 * when it has returned; except after a loss, or if the leader itself released the lease. {@code
 * elected} may still be running at that point: stop it from {@code resigned}, or have it check
 * {@link Lease#isValid()}.
 *
 * <p>At most one leader has a valid lease. A paused process learns of its loss late: check the
 * lease before a write, and let the resource check the {@linkplain Lease#fencingToken() fencing
 * token}.
 *
 * <p>After a loss the candidate stands again once {@code elected} has returned; after a callback
 * that threw or a lease that was released, one second later, so that others come first. While the
 * store is unreachable it keeps trying. It stops when the election or the lock's manager is closed.
 *
 * <p>Each election has its own daemon thread, and one more while {@code elected} runs. No callback
 * runs on a thread of the lock's manager. Each election is a separate owner: two elections on one
 * lock exclude each other, even in one process. Thread-safe.
 */
public interface LeaderElection extends AutoCloseable {

  /**
   * Prepares an election on a lock, with leases as in that lock's options. An explicit owner of the
   * lock is ignored.
   *
   * @throws IllegalArgumentException if the lock is the read side of a read/write lock, or consists
   *     only of read sides, since these have many holders at a time
   */
  static Builder on(DistributedLock lock) {
    return new ElectionBuilder(lock);
  }

  /** Name of the lock. */
  String lockName();

  /** Whether this candidate leads now, by a valid lease. No round trip. */
  boolean isLeader();

  /**
   * Asks the store who leads now, by the {@linkplain HolderInfo#holder() label} of the leader's
   * manager, and for how long. Blocks for one round trip. For diagnostics and metrics: the answer
   * may be outdated when it arrives, so never base decisions on it.
   *
   * @return empty if there is no leader at the moment
   * @throws LockStoreException if the store gave no usable answer
   * @throws LockManagerClosedException if the lock's manager is closed
   */
  Optional<HolderInfo> leader();

  /**
   * Ends the candidacy. A leader resigns: {@code resigned} is called and then the lock is released,
   * so that the next leader is elected at once.
   *
   * <p>Blocks until this is done, unless called from {@code resigned}. Idempotent; an interrupt
   * ends the wait early, and the flag is kept.
   */
  @Override
  void close();

  /** Prepares an election. Not thread-safe. */
  interface Builder {

    /**
     * Sets the callback of an elected leader, which may run for any length of time. If it throws,
     * the leader resigns at once and the exception is logged. Default: does nothing.
     *
     * @param callback receives the leader's lease; releasing it resigns
     */
    Builder elected(Consumer<? super Lease> callback);

    /**
     * Sets the callback for the end of leadership, called once for each {@code elected} after that
     * has begun. An exception from it is logged. Default: does nothing.
     */
    Builder resigned(Consumer<? super Resignation> callback);

    /**
     * Begins to stand for election. Does not block. Can be called again to create another
     * candidate.
     */
    LeaderElection start();
  }
}
