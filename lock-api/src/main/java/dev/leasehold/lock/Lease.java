package dev.leasehold.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One hold of a lock, valid until a known deadline.
 *
 * <p>Each acquisition returns a handle of its own on its owner's shared hold. A handle is used
 * once: after its release or the loss of the lease it is invalid for ever, even if the same owner
 * acquires the lock again. The lock is free when the last handle is released.
 *
 * <p>The deadline is measured from just before the request was sent, minus a drift allowance (a
 * hundredth of the lease plus 2 ms), so it passes before the store can grant the lock to another
 * owner. Only a confirmed renewal moves it.
 *
 * <p>Thread-safe: any thread may use or release a handle.
 */
public interface Lease extends AutoCloseable {

  /** The name of the lock. */
  String lockName();

  /**
   * The leases that make up this one, if it is a lease of {@linkplain DistributedLock#all several
   * locks}; otherwise this lease alone. Each part has a fencing token, the same for all if they
   * were taken in one step. Do not release parts individually.
   */
  default List<Lease> parts() {
    return List.of(this);
  }

  /**
   * The fencing token: a number that increases with every hold of this name, across all owners.
   * Send it to the resource with each write, and let the resource reject a token smaller than the
   * largest it has seen.
   *
   * <p>From 0 to 2<sup>53</sup> - 1, so doubles, JSON numbers and JavaScript represent it exactly.
   * It is not a count: there are gaps. Store it in a 64-bit column ({@code BIGINT}), and check and
   * write in one statement: {@code UPDATE ... SET ..., fence = ? WHERE id = ? AND fence <= ?}. In a
   * header or message, write it in decimal and compare it as a number, not as text. Tokens of
   * different names are unrelated.
   *
   * @throws UnsupportedOperationException if the manager does not promise {@link
   *     Guarantee#FENCING}, or if this lease has several {@link #parts()} whose tokens differ
   */
  long fencingToken();

  /**
   * The numbers of the permits held, from 0 and in order, where a semaphore's permits are numbered
   * ({@link Guarantee#SLOTS}); empty otherwise. There the {@link #fencingToken()} increases for
   * each slot: send slots and token to the resource, which keeps the largest token seen for each
   * slot.
   */
  default List<Integer> slots() {
    return List.of();
  }

  /** Time to the deadline by the monotonic clock; zero when lost or released. No round trip. */
  Duration remaining();

  /** Whether this handle is unreleased and its lease neither lost nor expired. No round trip. */
  boolean isValid();

  /**
   * The number of unreleased handles the owner has on this hold; zero when lost or released. No
   * round trip.
   */
  int holdCount();

  /**
   * Extends the lease once, to last at least this long from now; never shortens it and does not
   * change how it is renewed. Blocks for one round trip, or not at all if enough time remains.
   *
   * @param lease more than zero, at most 365 days
   * @return true if the lease now lasts that long; false if it is lost or the handle released
   * @throws IllegalArgumentException if {@code lease} is out of range
   * @throws LockConfigurationException if {@code lease} is longer than a setting of the store
   *     allows
   * @throws LockStoreException if the store gave no usable answer; the deadline has not moved
   */
  boolean extend(Duration lease);

  /**
   * A stage that completes once, with the reason, if the lease is lost before this handle is
   * released; after a release it never completes. Dependents run on the manager's executor. All
   * calls share one signal, which only the manager can complete: cancelling or completing its
   * {@link CompletionStage#toCompletableFuture} has no effect.
   *
   * <p>The signal comes by the deadline, even if the store never answers again. A paused process
   * receives it late: check {@link #isValid()} before a write, and let the resource check the
   * {@link #fencingToken()}.
   */
  CompletionStage<LeaseLoss> lost();

  /**
   * Checks the lease without a round trip.
   *
   * @throws LeaseLostException if the lease was lost or this handle was released
   */
  void ensureValid();

  /**
   * Releases this handle; the release of the last one frees the lock and blocks for one round trip.
   * Ignores interruption and keeps the flag. Repeated calls do nothing.
   *
   * <p>If it throws, the handle is released all the same, and the owner can acquire again.
   *
   * @throws LeaseLostException if the lease was lost before: the holder's work may have overlapped
   *     with that of the next holder; with the reason {@link LeaseLoss.Reason#CLOSED} only if it
   *     went on for longer than the rest of the lease
   * @throws LockStoreException if the store did not confirm the release in time. The lease was
   *     valid until now; the engine keeps trying to release it in the background, and it expires in
   *     any case
   */
  void release();

  /** As {@link #release()}, without blocking; the stage fails with what {@code release} throws. */
  CompletionStage<Void> releaseAsync();

  /**
   * The number of semaphore permits of this lease; 1 for any other lock. The number does not change
   * when the lease is lost or released. No round trip.
   */
  default int permits() {
    return 1;
  }

  /**
   * Releases some of a semaphore's permits and keeps the others; {@link #release()} releases all.
   * Blocks for one round trip. Ignores interruption and keeps the flag.
   *
   * <p>If it throws {@link LockStoreException}, these permits may still be taken on the store,
   * until the next {@code release} of some or all permits, or the end of the lease. In any case
   * {@link #permits()} no longer counts them.
   *
   * @param permits 1 to {@link #permits()}
   * @throws IllegalArgumentException if out of range; the message names value and limit
   * @throws LeaseLostException if the lease was lost before, or this handle was released
   * @throws LockConfigurationException on a quorum, where permits of one lease can only be released
   *     together; the lease is unchanged
   * @throws LockStoreException if the store did not confirm the release in time
   */
  default void release(int permits) {
    if (permits != 1) {
      throw new IllegalArgumentException(
          "cannot release " + permits + " permits: this lease holds 1, and is not a semaphore's");
    }
    release();
  }

  /** Same as {@link #release()}. */
  @Override
  default void close() {
    release();
  }
}
