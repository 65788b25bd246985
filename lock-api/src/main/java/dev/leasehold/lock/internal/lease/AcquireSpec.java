package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.internal.calls.StoreOperations;

/**
 * What an acquisition asks the store for: all of a lock, or some permits.
 *
 * @param store the view of the store that it asks
 * @param wanted how many permits, or 1
 * @param of how many there are, or 1
 * @param beside whether it stands beside another lease of its owner's: it does not wait in the line
 */
public record AcquireSpec(StoreOperations store, int wanted, int of, boolean beside) {

  /** All of it. */
  public static AcquireSpec whole(StoreOperations store) {
    return new AcquireSpec(store, 1, 1, false);
  }

  /** Some permits. */
  public static AcquireSpec permits(StoreOperations store, int wanted, int of) {
    return new AcquireSpec(store, wanted, of, false);
  }

  /** Of who has the whole: its lease is nobody else's. */
  public static AcquireSpec beside(StoreOperations store) {
    return new AcquireSpec(store, 1, 1, true);
  }

  /** Whether a lease of the one does for the other. */
  public boolean isAsGoodAs(AcquireSpec other) {
    return !beside && !other.beside && wanted == other.wanted && of == other.of;
  }
}
