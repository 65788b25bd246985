package dev.leasehold.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A number of permits that several processes share, by name: no more than so many are held at a
 * time. For work that a resource bears several times at once, but not any number of times: exports,
 * calls to a partner, licences.
 *
 * <p>Each acquisition is a {@link Lease} of its own, with a deadline and a loss signal: permits of
 * a process that dies come back when their leases end, and those of a living one are renewed. There
 * is no re-entry: a thread that acquires twice holds two permits. Whoever does not hold a permit
 * can't add one: a release gives back what its lease has, once.
 *
 * <p><b>The number.</b> All users of a name agree on how many permits there are. An acquisition
 * with another number fails with {@link LockConfigurationException}, which names both; {@link
 * #resize} changes it.
 *
 * <p><b>The line.</b> Where the manager promises {@link Guarantee#TURNS}, permits are given in the
 * order of arrival at the store: one that waits for several is not passed by those who want fewer.
 * It holds none while it waits.
 *
 * <p>Permits have no order among them, so a lease of permits has no {@linkplain
 * Lease#fencingToken() fencing token}: the highest would turn other holders away that are as valid.
 * Under {@link Guarantee#SLOTS}, on a quorum, it tells its {@link Lease#slots()}, and its token is
 * larger than all before of these.
 *
 * <p>Thread-safe. Which methods block is said at each.
 */
public interface DistributedSemaphore {

  /** The name that processes agree on. A lock of this name has nothing to do with it. */
  String name();

  /** How many permits there are. */
  int permits();

  /** This semaphore for acquisitions that logs tell by an owner's name. */
  DistributedSemaphore as(LockOwner owner);

  /**
   * As {@link #acquire(int)} with one permit.
   *
   * @throws InterruptedException as there
   */
  default Lease acquire() throws InterruptedException {
    return acquire(1);
  }

  /**
   * Waits without bound until it holds so many permits, all under one lease. Blocks.
   *
   * @param permits 1 to {@link #permits()}
   * @throws IllegalArgumentException if out of range; the message names value and limit
   * @throws InterruptedException if the thread is interrupted before or while it waits; nothing is
   *     left behind on the store
   * @throws LockConfigurationException if the name has another number of permits
   * @throws LockStoreException if the store was out of reach for the manager's store time-out
   * @throws LockManagerClosedException if the manager is or gets closed
   */
  Lease acquire(int permits) throws InterruptedException;

  /** As {@link #tryAcquire(int)} with one permit. */
  default Optional<Lease> tryAcquire() {
    return tryAcquire(1);
  }

  /**
   * Asks once and does not wait for permits; blocks for one round trip. Ignores interruption and
   * keeps the flag.
   *
   * @param permits 1 to {@link #permits()}
   * @return the lease, or empty if fewer are free, or others wait for them
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
   * @return the lease, or empty if the time was up
   * @throws IllegalArgumentException as {@link #acquire(int)}, or if {@code wait} is negative or
   *     over 106 751 days
   * @throws InterruptedException as {@link #acquire(int)}
   * @throws LockConfigurationException as {@link #acquire(int)}
   * @throws LockStoreException if the time was up without a usable answer from the store
   * @throws LockManagerClosedException as {@link #acquire(int)}
   */
  Optional<Lease> tryAcquire(int permits, Duration wait) throws InterruptedException;

  /**
   * Asks for permits and returns at once. Fails with what {@link #acquire(int)} throws. Cancelling
   * is as in {@link DistributedLock#acquireAsync()}.
   *
   * @throws IllegalArgumentException as {@link #acquire(int)}
   */
  CompletionStage<Lease> acquireAsync(int permits);

  /**
   * Asks for permits for at most {@code wait} and returns at once.
   *
   * @throws IllegalArgumentException as {@link #tryAcquire(int, Duration)}
   */
  CompletionStage<Optional<Lease>> tryAcquireAsync(int permits, Duration wait);

  /**
   * Asks the store how many permits are free now. Blocks for one round trip. For people and
   * metrics: the answer is old when it arrives, never decide by it.
   *
   * @throws LockStoreException if the store gave no usable answer
   * @throws LockManagerClosedException if the manager is closed
   */
  int available();

  /**
   * Changes how many permits the name has, for all its users. Blocks for one round trip.
   *
   * <p>Nobody loses a permit: until fewer are held than the new number, the store grants none (one
   * may be handed over inside a process meanwhile, within the bound of hand-overs). Those who still
   * have the old number in mind get an exception that tells so at their next acquisition; who waits
   * with the old number, at once.
   *
   * @param permits 1 to 10 000
   * @return the semaphore of that number
   * @throws IllegalArgumentException if out of range; the message names value and limit
   * @throws LockConfigurationException if the name has neither this semaphore's number nor the new
   *     one, or on a quorum, where the number can't be changed to another one
   * @throws LockStoreException if the store gave no usable answer
   * @throws LockManagerClosedException if the manager is closed
   */
  DistributedSemaphore resize(int permits);
}
