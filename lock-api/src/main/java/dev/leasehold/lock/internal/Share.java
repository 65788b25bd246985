package dev.leasehold.lock.internal;

/**
 * What an acquisition asks the store for: all of a lock, or some permits.
 *
 * @param store the view of the store that it asks
 * @param wanted how many permits, or 1
 * @param of how many there are, or 1
 */
record Share(StoreOperations store, int wanted, int of) {

  /** All of it. */
  static Share whole(StoreOperations store) {
    return new Share(store, 1, 1);
  }

  /** Whether a lease of the one does for the other. */
  boolean isAsGoodAs(Share other) {
    return wanted == other.wanted && of == other.of;
  }
}
