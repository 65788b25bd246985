package dev.leasehold.lock.spi;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import java.util.concurrent.CompletionStage;

/**
 * A store that can keep semaphores: so many permits of a name, each held by a token until its lease
 * ends. It declares {@link Guarantee#PERMITS}.
 *
 * <p>A semaphore is a <i>view</i> of the store: the same operations with the same contract, on
 * other data. Semaphores and locks of one name have nothing to do with one another.
 */
public interface PermitStore extends LeaseStore {

  /** Most permits that a semaphore may have: some stores look at each that is asked for. */
  int MOST_PERMITS = 10_000;

  /**
   * A view whose leases are {@code wanted} permits each: all of them or none, with one end.
   *
   * <p>A request is granted if no more than {@code of} permits are held with it. One that waits for
   * more than is free must not be passed by others for ever. A name that has another number of
   * permits than {@code of} refuses it with {@link #anotherNumber}. A permit whose lease is over is
   * free, and whoever has none adds none by a release.
   *
   * <p>A release wakes as many waiters as can go on, and no more. Renewals and releases of a token
   * may go through any view of this store. A view is neither started nor closed by itself; its
   * {@link LeaseStore#inspect} tells of nobody. Cheap to make.
   *
   * @param wanted 1 to {@code of}
   * @param of how many permits the name has, 1 to {@link #MOST_PERMITS}
   */
  LeaseStore permits(int wanted, int of);

  /** How many permits of a name there are, and are held; both zero if nobody uses the name. */
  CompletionStage<Permits> count(String name);

  /**
   * Changes how many permits a name has. Nobody loses one: what is held beyond the new number is
   * waited for. Fails with {@link #anotherNumber} if the name has neither of the two numbers, and
   * with another {@link LockConfigurationException} where the store can't change it.
   *
   * @param from how many it has, 1 to {@link #MOST_PERMITS}
   * @param to how many it is to have, 1 to {@link #MOST_PERMITS}
   */
  CompletionStage<?> resize(String name, int from, int to);

  /**
   * What a store knows of a semaphore.
   *
   * @param number how many permits there are
   * @param held how many of them are held, or kept for a waiter that was woken
   */
  record Permits(int number, int held) {}

  /** The refusal of a caller who has another number of permits in mind than the name has. */
  static LockConfigurationException anotherNumber(String name, long asked, long number) {
    return anotherNumber(
        name, asked, number, "change it by resize(" + asked + ") on the semaphore of " + number);
  }

  /** The same, with what to do where the store can't change the number. */
  static LockConfigurationException anotherNumber(
      String name, long asked, long number, String orElse) {
    return new LockConfigurationException(
        "semaphore "
            + Quoted.name(name)
            + " has "
            + number
            + " permits, and was asked for as one of "
            + asked
            + ": all users of a name have to agree. Ask for "
            + number
            + ", or "
            + orElse
            + "; unused for long enough, a name forgets its number");
  }
}
