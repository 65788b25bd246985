package dev.leasehold.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One hold of a lock, valid until a known deadline.
 *
 * <p>Each acquisition returns a handle of its own over its owner's shared hold. A handle is used
 * once: after its release, or once the lease is lost, it is invalid for ever, even if the same
 * owner holds the lock anew. The lock is free when the last handle is released.
 *
 * <p>The deadline counts from before the request was sent, less an allowance for drift (a hundredth
 * of the lease and 2 ms), so that it lies before the moment at which the store gives the lock to
 * somebody else. Only a confirmed renewal moves it.
 *
 * <p>Thread-safe: any thread may use or release a handle.
 */
public interface Lease extends AutoCloseable {

  /** Name of the lock that is held. */
  String lockName();

  /**
   * The leases that this one is made of, where it is one of {@linkplain DistributedLock#all several
   * locks}; each has a fencing token, which is the same for all where they were taken in one step.
   * Else this lease alone. Release none of them by itself.
   */
  default List<Lease> parts() {
    return List.of(this);
  }

  /**
   * A number that is larger for every later hold of this name, whoever takes it. Hand it to the
   * resource with each write, and let the resource refuse any smaller one than it has seen.
   *
   * <p>From 0 to 2<sup>53</sup> - 1, so that doubles, JSON numbers and JavaScript carry it exactly.
   * It counts nothing: there are gaps. Keep it in a column of 64 bits ({@code BIGINT}), and test
   * and write in one statement: {@code UPDATE ... SET ..., fence = ? WHERE id = ? AND fence <= ?}.
   * In a header or a message it is its decimal digits, compared as a number and not as text. Tokens
   * of different names have nothing to do with one another.
   *
   * @throws UnsupportedOperationException if the manager does not promise {@link
   *     Guarantee#FENCING}, or if this is made of several {@link #parts()} that have not the same
   */
  long fencingToken();

  /**
   * Which permits these are, by their numbers from 0 and in order, where a semaphore's permits are
   * told from one another ({@link Guarantee#SLOTS}); empty otherwise. Then the {@link
   * #fencingToken()} grows for each slot: the resource keeps the highest that it has seen of each,
   * and is told slots and token.
   */
  default List<Integer> slots() {
    return List.of();
  }

  /** Time to the deadline by the monotonic clock; zero when lost or released. No round trip. */
  Duration remaining();

  /** Whether this handle is not released and its lease neither lost nor past. No round trip. */
  boolean isValid();

  /** How many handles the owner has on this hold; zero when lost or released. No round trip. */
  int holdCount();

  /**
   * Makes the lease last at least this much from now, once; it never shortens and does not change
   * how the lease is renewed. Blocks for one round trip, or none if enough remains.
   *
   * @param lease more than zero, at most 365 days
   * @return true if it now lasts that long; false if the lease is lost or the handle released
   * @throws IllegalArgumentException if {@code lease} is out of range
   * @throws LockConfigurationException if it is longer than a setting of the store allows
   * @throws LockStoreException if the store gave no usable answer; the deadline has not moved
   */
  boolean extend(Duration lease);

  /**
   * Completes once, with the reason, if the lease is lost before this handle is released; stays
   * incomplete for ever after a release. Dependents run on the manager's executor.
   *
   * <p>It comes by the deadline, even when the store never answers again. A process that is paused
   * gets it late, as it does everything: check {@link #isValid()} before a write, and let the
   * resource check the {@link #fencingToken()}.
   */
  CompletionStage<LeaseLoss> lost();

  /**
   * Checks the lease without a round trip.
   *
   * @throws LeaseLostException if the lease was lost or this handle was released
   */
  void ensureValid();

  /**
   * Gives this handle back; the last one frees the lock. Blocks for one round trip if it is the
   * last, and ignores interruption, keeping the flag. Again after that it does nothing.
   *
   * <p>If it throws, the handle is given back all the same, and the same owner can acquire again.
   *
   * @throws LeaseLostException if the lease was lost before: what ran under it may have overlapped
   *     with the next holder
   * @throws LockStoreException if the store could not confirm it in time. The lease was valid until
   *     now; the engine goes on releasing in the background, and the lease expires in any case
   */
  void release();

  /** As {@link #release()}, without blocking; the stage fails with what {@code release} throws. */
  CompletionStage<Void> releaseAsync();

  /** Same as {@link #release()}. */
  @Override
  default void close() {
    release();
  }
}
