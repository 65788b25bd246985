package dev.leasehold.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/**
 * A named number of permits shared by several processes: no more than that number are held at a
 * time. For work that a resource can sustain a limited number of times at once: exports, calls to a
 * partner, licences.
 *
 * <p>Each acquisition is a {@link Lease} of its own, with a deadline and a loss signal: the permits
 * of a process that dies return when their leases end, and those of a live process are renewed.
 * Acquisitions are not re-entrant: a thread that acquires twice holds two permits. A release
 * returns exactly the permits of its lease, once; it can never add one.
 *
 * <p><b>The number.</b> All users of a name must agree on the number of permits. An acquisition
 * with a different number fails with {@link LockConfigurationException}, which names both numbers;
 * {@link #resize} changes the number.
 *
 * <p><b>The queue.</b> Where the manager promises {@link Guarantee#TURNS}, permits are granted in
 * the order of arrival at the store: requests for fewer permits do not overtake one that waits for
 * several. A waiter holds no permits.
 *
 * <p>Permits are unordered, so a lease of permits has no {@linkplain Lease#fencingToken() fencing
 * token}: the highest token would shut out other holders that are equally valid. Under {@link
 * Guarantee#SLOTS}, on a quorum, the lease has {@link Lease#slots()} and a token larger than all
 * earlier ones of those slots.
 *
 * <p>Semaphores of one manager are equal if they have the same name, number, options and owner.
 * Thread-safe. Each method states whether it blocks.
 */
public interface DistributedSemaphore {

  /** The name that processes agree on. Independent of a lock of the same name. */
  String name();

  /** The number of permits with which this semaphore was requested. */
  int permits();

  /**
   * Asks the store for the number of permits that the name has, on which all its users must agree.
   * Blocks for one round trip. A process that does not know the number can request the semaphore
   * with any number and call this method to learn the right one.
   *
   * @return the number, or empty if the name has none because it has been unused for long enough
   * @throws LockStoreException if the store gave no usable answer
   * @throws LockManagerClosedException if the manager is closed
   */
  OptionalInt agreedPermits();

  /** This semaphore with an explicit owner, whose name identifies its acquisitions in logs. */
  DistributedSemaphore as(LockOwner owner);

  /**
   * As {@link #acquire(int)} with one permit.
   *
   * @throws InterruptedException as {@link #acquire(int)}
   */
  default Lease acquire() throws InterruptedException {
    return acquire(1);
  }

  /**
   * Waits without bound until this many permits are held, all under one lease. Blocks.
   *
   * @param permits 1 to {@link #permits()}, at most 10 000
   * @throws IllegalArgumentException if out of range; the message names value and limit
   * @throws InterruptedException if the thread is interrupted before or while it waits; nothing is
   *     left behind on the store
   * @throws LockConfigurationException if the name has another number of permits
   * @throws LockStoreException if the store was unreachable for the manager's store time-out
   * @throws LockManagerClosedException if the manager is closed, before or during the wait
   */
  Lease acquire(int permits) throws InterruptedException;

  /** As {@link #acquireUninterruptibly(int)} with one permit. */
  default Lease acquireUninterruptibly() {
    return acquireUninterruptibly(1);
  }

  /**
   * As {@link #acquire(int)}, but ignores interruption: an interrupted thread keeps its place in
   * the queue, and its interrupt flag is set when this returns or throws. Blocks.
   *
   * @throws IllegalArgumentException as {@link #acquire(int)}
   * @throws LockConfigurationException as {@link #acquire(int)}
   * @throws LockStoreException as {@link #acquire(int)}
   * @throws LockManagerClosedException as {@link #acquire(int)}
   */
  Lease acquireUninterruptibly(int permits);

  /** As {@link #tryAcquire(int)} with one permit. */
  default Optional<Lease> tryAcquire() {
    return tryAcquire(1);
  }

  /**
   * Asks once and does not wait for permits. Blocks for one round trip. Ignores interruption and
   * keeps the flag.
   *
   * @param permits 1 to {@link #permits()}
   * @return the lease, or empty if too few permits are free or others are waiting for them
   * @throws IllegalArgumentException as {@link #acquire(int)}
   * @throws LockConfigurationException as {@link #acquire(int)}
   * @throws LockStoreException if the store gave no usable answer within the command time-out
   * @throws LockManagerClosedException as {@link #acquire(int)}
   */
  Optional<Lease> tryAcquire(int permits);

  /**
   * Waits for at most {@code wait}. Blocks.
   *
   * @param permits 1 to {@link #permits()}
   * @return the lease, or empty if too few permits were free: after the call began, the store
   *     reported so to this request or to one ahead of it in this process
   * @throws IllegalArgumentException as {@link #acquire(int)}, or if {@code wait} is negative or
   *     over 106 751 days
   * @throws InterruptedException as {@link #acquire(int)}
   * @throws LockConfigurationException as {@link #acquire(int)}
   * @throws LockStoreException if the time passed before the store answered
   * @throws LockManagerClosedException as {@link #acquire(int)}
   */
  Optional<Lease> tryAcquire(int permits, Duration wait) throws InterruptedException;

  /**
   * Requests permits and returns at once. The stage fails with what {@link #acquire(int)} throws.
   * Cancellation is as for {@link DistributedLock#acquireAsync()}.
   *
   * @throws IllegalArgumentException as {@link #acquire(int)}
   */
  CompletionStage<Lease> acquireAsync(int permits);

  /**
   * Requests permits for at most {@code wait} and returns at once.
   *
   * @throws IllegalArgumentException as {@link #tryAcquire(int, Duration)}
   */
  CompletionStage<Optional<Lease>> tryAcquireAsync(int permits, Duration wait);

  /**
   * Asks the store how many permits are free now. Blocks for one round trip. For diagnostics and
   * metrics: the answer may be outdated when it arrives, so never base decisions on it.
   *
   * @throws LockStoreException if the store gave no usable answer
   * @throws LockManagerClosedException if the manager is closed
   */
  int available();

  /**
   * Changes the number of permits of this name for all its users. Blocks for one round trip.
   *
   * <p>No holder loses a permit: the store grants none until fewer are held than the new number
   * (meanwhile one may be handed over inside a process, within the bound of hand-overs). Clients
   * that still use the old number get an exception that says so at their next acquisition. Waiters
   * with the old number get it at once where the manager promises {@link Guarantee#WAKE_UP} (the
   * first thousand managers in the queue; on Redisson, one of those that share a client), and
   * otherwise when they next ask the store.
   *
   * @param permits 1 to 1 000 000; on a quorum to 10 000
   * @return the semaphore with that number
   * @throws IllegalArgumentException if out of range; the message names value and limit
   * @throws LockConfigurationException if the name has neither this semaphore's number nor the new
   *     one; or on a quorum, where the number cannot be changed
   * @throws LockStoreException if the store gave no usable answer
   * @throws LockManagerClosedException if the manager is closed
   */
  DistributedSemaphore resize(int permits);
}
