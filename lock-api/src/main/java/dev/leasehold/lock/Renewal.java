package dev.leasehold.lock;

/** Whether a lease is kept alive. */
public enum Renewal {
  /** Renewed until it is released, for as long as the holder's process and the store allow. */
  AUTOMATIC,
  /**
   * Ends at its deadline; only {@link Lease#extend} and a longer re-entry prolong it, once each.
   */
  FIXED
}
