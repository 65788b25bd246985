package dev.leasehold.lock;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/**
 * A countdown latch shared by several processes: waiters wait until a number of events have
 * happened, in any process. The distributed counterpart of {@link
 * java.util.concurrent.CountDownLatch}.
 *
 * <p>A client opens the latch with a count and the time for which it is kept. Each count-down
 * subtracts one. At zero all waiters pass, and later callers pass at once, until the latch expires.
 * A caller that waits before the latch is opened waits for the opening too, where the manager
 * promises {@link Guarantee#LATCH_OPENING}; on Redisson's keys it passes at once. A latch is not a
 * lock: it has no holder, and it outlives the process that opened it.
 *
 * <p>A latch does not last for ever: once it expires, at zero or not, its name is as if it had
 * never been used. A caller that is waiting when a latch expires above zero gets a {@link
 * LatchExpiredException}. The same happens when the store loses the latch, for example by a restart
 * without its data: open it again then, or later callers wait for that.
 *
 * <p>Thread-safe and stateless: equal names are the same latch. A latch and a lock of the same name
 * are independent, unless the backend has one name space for all kinds.
 */
public interface DistributedLatch {

  /** The name that processes agree on. */
  String name();

  /**
   * Opens the latch unless it is open already: if several callers try, exactly one opens it. A
   * latch at zero still counts as open until it expires.
   *
   * @param count count-downs needed to reach zero, 1 to 100 000
   * @param keepFor how long the latch is kept from now on, 1 ms to 365 days: long enough for the
   *     work to finish and for the last waiter to arrive
   * @return true if this call opened it
   * @throws IllegalArgumentException if a value is out of range; the message names value and limit
   * @throws LockStoreException if the store gives no usable answer within the store time-out;
   *     whether the latch is open is then unknown
   * @throws LockManagerClosedException if the manager is closed, before or during the call
   */
  boolean open(int count, Duration keepFor);

  /**
   * Subtracts one from the count. The request is repeated until the store answers, and counts only
   * once. Ignores interruption and keeps the flag.
   *
   * @return false if there was nothing to count down: the latch is at zero, expired or not opened
   * @throws LockStoreException if the store gives no usable answer within the store time-out;
   *     whether the count-down took effect is then unknown
   * @throws LockManagerClosedException if the manager is closed, before or during the call
   */
  boolean countDown();

  /**
   * As {@link #countDown()}, without blocking. Dependents run on the manager's executor. Whether a
   * cancelled count-down took effect is unknown.
   */
  CompletionStage<Boolean> countDownAsync();

  /**
   * Waits until the latch is at zero. Blocks.
   *
   * @throws InterruptedException if the thread is, or was, interrupted
   * @throws LatchExpiredException if the latch expires before it is at zero
   * @throws LockStoreException if the store gives no usable answer within the store time-out
   * @throws LockManagerClosedException if the manager is closed, before or during the wait
   */
  void await() throws InterruptedException;

  /**
   * Waits until the latch is at zero, for at most this time. Blocks.
   *
   * @param wait zero asks once
   * @return true if the latch is at zero; false if the store has reported, since this was called,
   *     that it is not
   * @throws IllegalArgumentException if the time is negative or too long for nanoseconds
   * @throws InterruptedException as {@link #await()}
   * @throws LatchExpiredException as {@link #await()}
   * @throws LockStoreException if the time passed before the store answered
   * @throws LockManagerClosedException as {@link #await()}
   */
  boolean await(Duration wait) throws InterruptedException;

  /**
   * As {@link #await()}, without blocking. Dependents run on the manager's executor. Completing or
   * cancelling the future ends the wait and leaves nothing behind on the store.
   */
  CompletionStage<Void> awaitAsync();

  /** As {@link #await(Duration)}, without blocking; otherwise as {@link #awaitAsync()}. */
  CompletionStage<Boolean> awaitAsync(Duration wait);

  /**
   * The number of count-downs still needed; empty if the latch is not open. Blocks for one round
   * trip. The answer may be outdated when it arrives.
   *
   * @throws LockStoreException if the store fails
   * @throws LockManagerClosedException if the manager is closed
   */
  OptionalInt count();
}
