package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.internal.calls.StoreOperations;

/**
 * What an acquisition requests from the store: all of a lock, or some permits.
 *
 * @param store the view of the store that is asked
 * @param wanted how many permits, or 1
 * @param of how many permits there are, or 1
 * @param beside whether it is granted beside another lease of its owner: it does not wait in the
 *     line
 */
public record AcquireSpec(StoreOperations store, int wanted, int of, boolean beside) {

  /** Creates the specification of a whole lock. */
  public static AcquireSpec whole(StoreOperations store) {
    return new AcquireSpec(store, 1, 1, false);
  }

  /** Creates the specification of some permits. */
  public static AcquireSpec permits(StoreOperations store, int wanted, int of) {
    return new AcquireSpec(store, wanted, of, false);
  }

  /**
   * Creates the specification of a lease beside its owner's lease on the whole lock; no other claim
   * can use it.
   */
  public static AcquireSpec beside(StoreOperations store) {
    return new AcquireSpec(store, 1, 1, true);
  }

  /** Returns whether a lease granted for one specification suits the other. */
  public boolean isAsGoodAs(AcquireSpec other) {
    return !beside && !other.beside && wanted == other.wanted && of == other.of;
  }
}
