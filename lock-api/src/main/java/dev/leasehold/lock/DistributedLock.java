package dev.leasehold.lock;

import dev.leasehold.lock.internal.AllLocks;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;

/**
 * A lock that several processes contend for, by name.
 *
 * <p><b>Owner.</b> A blocking acquisition is owned by the calling thread (the object, not its id)
 * and re-enters at once. An asynchronous acquisition is always a new owner. {@link #as} names an
 * owner for either form. Re-entry returns a handle of its own over the owner's shared hold, keeps
 * the fencing token, and never changes how the hold is renewed; a re-entry that wants longer than a
 * fixed lease has left extends it once.
 *
 * <p><b>Outcomes.</b> An empty result means contended, and nothing else. A store that can't be
 * reached is {@link LockStoreException}. An owner whose hold was lost gets {@link
 * LeaseLostException} until it has released every handle of it.
 *
 * <p><b>Memory.</b> Within one process, what a thread did before it released happens-before what
 * the next holder does after it acquired. Across processes the store in between orders nothing but
 * the lock itself.
 *
 * <p>Thread-safe. Which methods block is said at each; none blocks while another owner's callback
 * runs.
 */
public interface DistributedLock {

  /**
   * Several locks as one, also of several managers: an acquisition takes all or none.
   *
   * <p>It waits for one and tries the others; at a refusal it gives back what it has, and waits for
   * the refused one. So it never holds one while it waits for another, and callers that hold
   * nothing else can't block one another for ever, whatever their order. Who wants many that are
   * much used may have to wait long.
   *
   * <p>Its lease is valid while all {@linkplain Lease#parts() parts} are: it has the earliest
   * deadline, and the first loss is the loss of all, told once; what is left is renewed no more,
   * and freed at the release. Each part has a fencing token of its own, but where {@link
   * LockManager#all} takes them in one step. All parts have one owner, which re-enters what it
   * holds of them. It is inspected as the first part that somebody holds. What depends on its
   * {@link #acquireAsync()} runs on threads of its own, since it may be of several managers.
   *
   * @param locks 1 to 100; one that comes twice is held twice by the same owner
   * @throws IllegalArgumentException if there are none or too many; the message names number and
   *     limit
   */
  static DistributedLock all(DistributedLock... locks) {
    return AllLocks.of(Arrays.asList(Objects.requireNonNull(locks, "locks")));
  }

  /** The name that processes agree on; of several locks, all names. */
  String name();

  /** This lock with an explicit owner, for work that hops threads. */
  DistributedLock as(LockOwner owner);

  /**
   * Waits without bound until the lock is held. Blocks.
   *
   * @throws InterruptedException if the thread is interrupted before or while it waits; nothing is
   *     left behind on the store
   * @throws LockStoreException if the store was out of reach for the manager's store time-out
   * @throws LeaseLostException if this owner lost an earlier hold and has not released it
   * @throws LockManagerClosedException if the manager is or gets closed
   */
  Lease acquire() throws InterruptedException;

  /**
   * Asks once and never waits for the lock; blocks for one round trip, or for none if this process
   * knows that the lock is held. Ignores interruption and keeps the flag.
   *
   * @return the lease, or empty if somebody else holds the lock
   * @throws LockStoreException if the store gave no usable answer within the command time-out
   * @throws LeaseLostException as {@link #acquire()}
   * @throws LockManagerClosedException as {@link #acquire()}
   */
  Optional<Lease> tryAcquire();

  /**
   * Waits for at most {@code wait}. Blocks.
   *
   * <p>By that time it has returned or thrown, also if the store never answers.
   *
   * @param wait zero or more; zero asks once
   * @return the lease, or empty if the lock stayed contended for all that time
   * @throws IllegalArgumentException if {@code wait} is negative or over 106 751 days
   * @throws LockStoreException if the time was up without a usable answer from the store
   * @throws InterruptedException as {@link #acquire()}
   * @throws LeaseLostException as {@link #acquire()}
   * @throws LockManagerClosedException as {@link #acquire()}
   */
  Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

  /**
   * Asks for the lock and returns at once. Fails with what {@link #acquire()} throws.
   *
   * <p>Cancelling the returned stage's {@code toCompletableFuture()} gives the place up, as does
   * completing it in any other way: {@code orTimeout}, say. A grant that was under way is released.
   * Dependents run on the manager's {@linkplain LockManager.Builder#executor executor}; or, as with
   * any stage, in the thread that adds them if it is complete by then, or in the one that cancels
   * or completes it.
   */
  CompletionStage<Lease> acquireAsync();

  /**
   * Asks for the lock for at most {@code wait} and returns at once; otherwise as {@link
   * #acquireAsync()}, with the results and errors of {@link #tryAcquire(Duration)}.
   *
   * @throws IllegalArgumentException if {@code wait} is negative or over 106 751 days
   */
  CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait);

  /**
   * Asks the store who holds the lock now, and for how long. Blocks for one round trip.
   *
   * <p>A lock that the store keeps for a waiter it has just woken ({@link Guarantee#TURNS}) is held
   * by nobody yet: empty, although others are refused for that moment.
   *
   * <p>For people and metrics. The answer is old when it arrives: never decide by it.
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
   * conditions are unsupported; any method may throw {@link LockStoreException}. {@code unlock()}
   * gives back only holds taken through such a view by the calling thread. All views of one name in
   * one manager are one.
   */
  Lock asLock();
}
