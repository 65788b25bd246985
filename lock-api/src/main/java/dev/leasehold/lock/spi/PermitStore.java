package dev.leasehold.lock.spi;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import java.util.concurrent.CompletionStage;

/**
 * A store that supports semaphores: a number of permits of a name, each held by a token until its
 * lease ends. It declares {@link Guarantee#PERMITS}.
 *
 * <p>A semaphore is a <i>view</i> of the store: the same operations with the same contract, on
 * separate data. Semaphores and locks of the same name are independent, unless the store
 * {@linkplain #hasOneNameSpace() has one name space}.
 */
public interface PermitStore extends LeaseStore {

  /** Most permits that a semaphore may have on any store. */
  int MOST_PERMITS = 1_000_000;

  /** Most permits of one lease: stores keep each permit as a separate entry. */
  int MOST_AT_ONCE = 10_000;

  /** Most permits that a semaphore may have on this store, 1 to {@link #MOST_PERMITS}. */
  default int mostPermits() {
    return MOST_PERMITS;
  }

  /**
   * Returns a view whose leases each hold {@code wanted} permits: all or none, with a common
   * expiry.
   *
   * <p>A request is granted if no more than {@code of} permits are then held. A waiter that needs
   * more permits than are free must not starve. A request for a name whose number of permits is not
   * {@code of} fails with {@link #anotherNumber}. A permit whose lease has expired is free, and a
   * release by a token without permits adds none.
   *
   * <p>A release wakes as many waiters as can proceed, and no more. Renewals and releases of a
   * token may go through any view of this store. A view is not started or closed separately; its
   * {@link LeaseStore#inspect} is always empty. Cheap to create.
   *
   * @param wanted 1 to {@code of}, at most {@link #MOST_AT_ONCE}
   * @param of how many permits the name has, 1 to {@link #mostPermits()}
   */
  LeaseStore permits(int wanted, int of);

  /** The number of permits of a name, and how many are held; both zero if the name is unused. */
  CompletionStage<Permits> count(String name);

  /**
   * Changes the number of permits of a name. No holder loses a permit: the store grants none until
   * fewer are held than the new number. A store that wakes waiters wakes those with the old number,
   * so that each asks once more and is refused. Fails with {@link #anotherNumber} if the name has
   * neither of the two numbers, and with another {@link LockConfigurationException} if the store
   * cannot change the number.
   *
   * @param from the current number, 1 to {@link #mostPermits()}
   * @param to the new number, 1 to {@link #mostPermits()}
   */
  CompletionStage<?> resize(String name, int from, int to);

  /**
   * Releases some permits of a lease and keeps the others; like a release, it wakes as many waiters
   * as can proceed. Repeating it changes nothing. Fails with a {@link LockConfigurationException}
   * where the permits of one lease can only be released together.
   *
   * @param keep permits that the lease keeps: at least 1, fewer than it was granted
   */
  CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep);

  /**
   * A store's record of a semaphore.
   *
   * @param number number of permits
   * @param held permits held, or reserved for a woken waiter
   */
  record Permits(int number, int held) {}

  /** The exception for a request with a different number of permits than the name has. */
  static LockConfigurationException anotherNumber(String name, long asked, long number) {
    return anotherNumber(
        name, asked, number, "change it by resize(" + asked + ") on the semaphore of " + number);
  }

  /** As above, with the remedy if the store cannot change the number. */
  static LockConfigurationException anotherNumber(
      String name, long asked, long number, String orElse) {
    return new LockConfigurationException(
        "semaphore "
            + Quoted.name(name)
            + " has "
            + number
            + " permits, and was requested with "
            + asked
            + ": all users of a name have to agree. Request "
            + number
            + ", or "
            + orElse
            + "; a name that is unused for long enough forgets its number");
  }
}
