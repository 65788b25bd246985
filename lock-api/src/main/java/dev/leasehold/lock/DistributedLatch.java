package dev.leasehold.lock;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/**
 * A gate that many wait at until so many things have happened, wherever they happen: as {@link
 * java.util.concurrent.CountDownLatch} within a process.
 *
 * <p>Somebody opens it with a count and for how long it is kept; each count-down takes one off; at
 * zero all who wait pass, and whoever comes passes at once, until the latch is over. Who waits
 * before it was opened waits for that too (where the manager promises {@link
 * Guarantee#LATCH_OPENING}; on Redisson's keys it passes). It is no lock: nobody holds it, and it
 * does not go with the process that opened it.
 *
 * <p>Nothing stays for ever: when it is over, at zero or not, the name is as if it had never been
 * used. Who waits when a latch ends before it is at zero gets a {@link LatchExpiredException}. So
 * it is when the store loses it, by a restart without its data, say: then open it again, or those
 * who come wait for that.
 *
 * <p>Thread-safe, without state of its own: equal names are the same latch. A latch and a lock of
 * one name have nothing to do with one another.
 */
public interface DistributedLatch {

  /** Its name. */
  String name();

  /**
   * Opens it, unless it is open: so any of several may, and one does. Also at zero it stays as it
   * is until it is over.
   *
   * @param count how many count-downs take it to zero, 1 to 100 000
   * @param keepFor how long it is kept from now on, 1 ms to 365 days: for longer than the work
   *     takes and than the last one to wait may come
   * @return true if this call opened it
   * @throws IllegalArgumentException if a value is out of range; the message names value and limit
   * @throws LockStoreException if the store is of no use for the store time-out: whether it is open
   *     is not known then
   * @throws LockManagerClosedException if the manager is closed, before or during the call
   */
  boolean open(int count, Duration keepFor);

  /**
   * Takes one off. It is sent until the store answers, and counts once, however often. An interrupt
   * is kept for later.
   *
   * @return false if there was nothing to take off: it is at zero, over, or nobody has opened it
   * @throws LockStoreException if the store is of no use for the store time-out: whether it counted
   *     is not known then
   * @throws LockManagerClosedException if the manager is closed, before or during the call
   */
  boolean countDown();

  /**
   * The same without blocking. What depends on it runs on the manager's executor. Whether a
   * cancelled one counted is not known.
   */
  CompletionStage<Boolean> countDownAsync();

  /**
   * Waits until it is at zero.
   *
   * @throws InterruptedException if the thread is, or was, interrupted
   * @throws LatchExpiredException if it is over before it is at zero
   * @throws LockStoreException if the store is of no use for the store time-out
   * @throws LockManagerClosedException if the manager is closed, before or during the wait
   */
  void await() throws InterruptedException;

  /**
   * Waits until it is at zero, or for at most this time.
   *
   * @param wait zero asks once
   * @return whether it is at zero
   * @throws IllegalArgumentException if the time is negative or too long for nanoseconds
   * @throws InterruptedException as {@link #await()}
   * @throws LatchExpiredException as {@link #await()}
   * @throws LockStoreException if the store was of no use for all of the time
   * @throws LockManagerClosedException as {@link #await()}
   */
  boolean await(Duration wait) throws InterruptedException;

  /**
   * As {@link #await()} without blocking. What depends on it runs on the manager's executor. To
   * complete or cancel its future gives up, and leaves nothing behind.
   */
  CompletionStage<Void> awaitAsync();

  /** As {@link #await(Duration)} without blocking, and as {@link #awaitAsync()}. */
  CompletionStage<Boolean> awaitAsync(Duration wait);

  /**
   * How many count-downs are missing; empty if nobody has opened it, or it is over. Old the moment
   * it is told.
   *
   * @throws LockStoreException if the store fails
   * @throws LockManagerClosedException if the manager is closed
   */
  OptionalInt count();
}
