package dev.leasehold.methods;

/** What happens to a call of a {@link Locked} method that does not acquire the lock in time. */
public enum OnTimeout {
  /** The call throws {@link dev.leasehold.lock.LockTimeoutException}. */
  THROW,

  /**
   * The call returns without running the method: for jobs of which one run is enough. Allowed for
   * {@code void} methods with a bounded {@link Locked#waitFor()}. Applies only to contention; a
   * store that does not answer in time still causes {@link dev.leasehold.lock.LockStoreException}.
   */
  SKIP
}
