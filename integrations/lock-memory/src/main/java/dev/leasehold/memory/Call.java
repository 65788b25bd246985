package dev.leasehold.memory;

/** The kind of a manager's call to its store. */
public enum Call {
  /** Acquires a lock. */
  ACQUIRE,
  /** Renews a lease; in a batch, each lease counts as one call. */
  RENEW,
  /** Releases a lock, or leaves it taken for the rest of a minimum hold. */
  RELEASE,
  /**
   * All other calls: inspecting holders, counting permits, leaving the queue, and every call of a
   * latch.
   */
  OTHER
}
