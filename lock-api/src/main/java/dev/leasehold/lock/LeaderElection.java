package dev.leasehold.lock;

import dev.leasehold.lock.internal.ElectionBuilder;
import java.util.function.Consumer;

/**
 * Stands for election by a lock, again and again until it is closed: whoever holds the lock is the
 * leader. For what has to run in exactly one of several processes.
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
 * <p>A leader leads from its {@code elected} callback on, also after that has returned, until its
 * lease is lost, it releases its lease, the callback throws, or the election is closed. Then {@code
 * resigned} is called, once for each {@code elected}, and on another thread: so a leader hears by
 * its lease's deadline that it leads no more, whatever its callback does and though the store never
 * answers again. Except after a loss, and where the leader itself released its lease, the lock is
 * free for the next leader when {@code resigned} has returned; while that runs the lease is kept.
 * {@code elected} may still be running then: end it from {@code resigned}, or have it look at
 * {@link Lease#isValid()}.
 *
 * <p>At most one leader has a valid lease. A process that is paused hears of its loss late, as of
 * everything: check the lease before a write, and let the resource check the {@linkplain
 * Lease#fencingToken() fencing token}.
 *
 * <p>After a loss it stands again when {@code elected} has returned; after a callback that threw,
 * or a lease that was released, a second later, so that others come first. While the store is out
 * of reach it goes on asking. It ends when it, or the lock's manager, is closed.
 *
 * <p>Each election has a daemon thread of its own, and one more while {@code elected} runs. No
 * callback runs on a thread of the lock's manager. Each election is an owner of its own: two on one
 * lock exclude one another, also in one process. Thread-safe.
 */
public interface LeaderElection extends AutoCloseable {

  /**
   * Prepares an election by a lock: its leases are as that lock's options say. An owner that the
   * lock was given is left aside.
   *
   * @throws IllegalArgumentException if it is the read side of a read/write lock, or several locks
   *     as one that are all such, which many hold at a time
   */
  static Builder on(DistributedLock lock) {
    return new ElectionBuilder(lock);
  }

  /** Name of the lock. */
  String lockName();

  /** Whether this leads now, by a lease that is valid. No round trip. */
  boolean isLeader();

  /**
   * Stands no more. A leader resigns: {@code resigned} is called, and then the lock is free, so
   * that the next one is elected at once.
   *
   * <p>Blocks until that is done, unless {@code resigned} calls it. Idempotent; an interrupt ends
   * the wait early and is kept.
   */
  @Override
  void close();

  /** Prepares an election. Not thread-safe. */
  interface Builder {

    /**
     * What the elected does; it may take as long as it likes. What it throws has it resign at once,
     * and is logged. Default: nothing.
     *
     * @param callback gets the lease it leads by; to release that is to resign
     */
    Builder elected(Consumer<? super Lease> callback);

    /**
     * What a leader does that leads no more: called once for each {@code elected} that has begun,
     * after it has begun. What it throws is logged. Default: nothing.
     */
    Builder resigned(Consumer<? super Resignation> callback);

    /** Begins to stand for election. Does not block. Can be called again, for another candidate. */
    LeaderElection start();
  }
}
