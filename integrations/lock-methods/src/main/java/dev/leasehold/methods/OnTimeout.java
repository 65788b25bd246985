package dev.leasehold.methods;

/** What becomes of a call of a {@link Locked} method that does not get the lock in time. */
public enum OnTimeout {
  /** It throws {@link dev.leasehold.lock.LockTimeoutException}. */
  THROW,

  /**
   * It returns without having run the method: for jobs of which one run is enough. For methods that
   * return nothing ({@code void}), with a {@link Locked#waitFor()} that ends.
   */
  SKIP
}
