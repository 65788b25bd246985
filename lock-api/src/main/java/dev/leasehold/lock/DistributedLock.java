package dev.leasehold.lock;

import dev.leasehold.lock.internal.several.AllLocks;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;

/**
 * A named lock that gives mutual exclusion among several processes.
 *
 * <p><b>Owner.</b> A blocking acquisition is owned by the calling thread (the object, not its id);
 * an owner re-enters at once. An asynchronous acquisition always has a new owner. {@link #as} sets
 * an explicit owner for either form. A re-entry returns a handle of its own on the owner's shared
 * hold, keeps the fencing token, and never changes how the hold is renewed; a re-entry that asks
 * for more time than a fixed lease has left extends the lease once.
 *
 * <p><b>Outcomes.</b> An empty result means contention and nothing else: after the call began, the
 * store reported that the lock is held, or another owner in this process held it. A store that is
 * unreachable, or has not answered in the time allowed, causes {@link LockStoreException}, however
 * short that time was; so does one that has not confirmed in that time the release of an earlier
 * request of this process, which was given up and may be what holds the lock. An owner whose hold
 * was lost gets {@link LeaseLostException} until it has released every handle of that hold.
 *
 * <p><b>Memory effects.</b> Within one process, a holder's actions before its release
 * <i>happen-before</i> the next holder's actions after its acquisition. Between processes only the
 * lock itself is ordered.
 *
 * <p>Locks of one manager are equal if they have the same kind, name, options and owner.
 * Thread-safe. Each method states whether it blocks; none blocks because another owner's callback
 * is running.
 */
public interface DistributedLock {

  /**
   * Combines several locks, possibly of several managers, into one: an acquisition takes all or
   * none.
   *
   * <p>An acquisition waits for one lock and tries the others; when one is refused, it releases
   * those it has and waits for the refused one. It never holds one lock while it waits for another,
   * so callers that hold nothing else cannot deadlock, whatever the order of their locks. Acquiring
   * many heavily contended locks may take long.
   *
   * <p>The lease is valid while all its {@linkplain Lease#parts() parts} are. It has the earliest
   * deadline, and the loss of any part is the loss of the whole, signalled once; the remaining
   * parts are no longer renewed, and are freed at the release. Each part has a fencing token of its
   * own, except where {@link LockManager#all} takes all in one step. All parts have one owner,
   * which re-enters those it already holds. {@link #inspect()} describes the first part that is
   * held. Dependents of {@link #acquireAsync()} run on separate threads, since the locks may belong
   * to several managers.
   *
   * @param locks 1 to 100; a lock given twice is held twice by the same owner
   * @throws IllegalArgumentException if there are none or too many; the message names number and
   *     limit
   */
  static DistributedLock all(DistributedLock... locks) {
    return AllLocks.of(Arrays.asList(Objects.requireNonNull(locks, "locks")));
  }

  /** The name that processes agree on; for several locks as one, all their names. */
  String name();

  /** This lock with an explicit owner, for work that moves between threads. */
  DistributedLock as(LockOwner owner);

  /**
   * Waits without bound until the lock is held. Blocks.
   *
   * @throws InterruptedException if the thread is interrupted before or while it waits; nothing is
   *     left behind on the store
   * @throws LockStoreException if the store was unreachable for the manager's store time-out
   * @throws LeaseLostException if this owner lost an earlier hold and has not released it
   * @throws LockManagerClosedException if the manager is closed, before or during the wait
   */
  Lease acquire() throws InterruptedException;

  /**
   * As {@link #acquire()}, but ignores interruption: an interrupted thread keeps its place in the
   * queue, and its interrupt flag is set when this returns or throws. Blocks.
   *
   * <p>For several locks as one ({@link #all}), and in implementations that do not override this
   * method, an interrupt restarts the acquisition, which loses its place in the queue.
   *
   * @throws LockStoreException as {@link #acquire()}
   * @throws LeaseLostException as {@link #acquire()}
   * @throws LockManagerClosedException as {@link #acquire()}
   */
  default Lease acquireUninterruptibly() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return acquire();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Asks once and never waits for the lock. Blocks for one round trip, or not at all if the lock is
   * known to be held in this process. Ignores interruption and keeps the flag.
   *
   * @return the lease, or empty if the lock is held, kept for the rest of a minimum hold, or
   *     reserved for a waiter
   * @throws LockStoreException if the store gave no usable answer within the command time-out
   * @throws LeaseLostException as {@link #acquire()}
   * @throws LockManagerClosedException as {@link #acquire()}
   */
  Optional<Lease> tryAcquire();

  /**
   * Waits for at most {@code wait}. Blocks.
   *
   * <p>Returns or throws within that time, even if the store never answers. A wait shorter than a
   * round trip to the store ends before the answer arrives, so it usually throws; {@link
   * #tryAcquire()} waits for one answer.
   *
   * @param wait zero or more; zero asks once
   * @return the lease, or empty if the lock was contended: after the call began, the store reported
   *     it as held, or another owner in this process held it
   * @throws IllegalArgumentException if {@code wait} is negative or over 106 751 days
   * @throws LockStoreException if the time passed without evidence of another holder; the message
   *     gives the store's failure, or says for example "no answer yet within 0.1ms"
   * @throws InterruptedException as {@link #acquire()}
   * @throws LeaseLostException as {@link #acquire()}
   * @throws LockManagerClosedException as {@link #acquire()}
   */
  Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

  /**
   * Requests the lock and returns at once. The stage fails with what {@link #acquire()} throws.
   *
   * <p>Cancelling the stage's {@code toCompletableFuture()}, or completing it in any other way such
   * as {@code orTimeout}, abandons the request; a grant already under way is released. Dependents
   * run on the manager's {@linkplain LockManager.Builder#executor executor}; or, as with any stage,
   * in the thread that adds them if the stage is already complete, or in the thread that cancels or
   * completes it.
   */
  CompletionStage<Lease> acquireAsync();

  /**
   * Requests the lock for at most {@code wait} and returns at once. Cancellation and dependents are
   * as for {@link #acquireAsync()}, results and errors as for {@link #tryAcquire(Duration)}.
   *
   * @throws IllegalArgumentException if {@code wait} is negative or over 106 751 days
   */
  CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait);

  /**
   * The number of unreleased handles on this lock's valid hold in this manager, counting for the
   * {@linkplain #as explicit owner} or else the calling thread. Zero if that owner does not hold
   * the lock or has lost it. For several locks as one, the smallest count of all parts. Never
   * blocks; no round trip.
   */
  int holdCount();

  /**
   * Whether the owner holds this lock by a valid lease: {@link #holdCount()} is not zero. Never
   * blocks; no round trip.
   */
  default boolean isHeldByCurrentOwner() {
    return holdCount() > 0;
  }

  /**
   * Asks the store who holds the lock now, and for how long. Blocks for one round trip.
   *
   * <p>A lock that the store reserves for a waiter it has just woken ({@link Guarantee#TURNS}) has
   * no holder yet: the result is empty although other requests are refused.
   *
   * <p>For diagnostics and metrics. The answer may be outdated when it arrives: never base
   * decisions on it.
   *
   * @throws LockStoreException if the store gave no usable answer
   * @throws LockManagerClosedException if the manager is closed
   */
  Optional<HolderInfo> inspect();

  /**
   * A {@link java.util.concurrent.locks.Lock} that behaves as {@link
   * java.util.concurrent.locks.ReentrantLock}.
   *
   * <p>Differences: {@code unlock()} after a loss throws an {@link IllegalMonitorStateException},
   * as for a thread that does not hold the lock, with the {@link LeaseLostException} as its cause;
   * conditions are unsupported; any method may throw {@link LockStoreException}. A timed {@code
   * tryLock} waits for at least its first answer, up to the manager's command time-out, however
   * short its time is: it returns {@code false} only if the lock is contended. A thread whose hold
   * was lost also gets {@link LeaseLostException} from {@code lock()} and {@code tryLock()} until
   * it has called {@code unlock()} once for each time it locked: its work is no longer protected,
   * and the {@code unlock()} that belongs to the lost hold would free a newly taken one. {@code
   * unlock()} releases only holds that the calling thread took through such a view. All views of
   * one name in one manager are the same lock, and are equal.
   */
  Lock asLock();
}
