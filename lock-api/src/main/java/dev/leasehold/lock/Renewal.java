package dev.leasehold.lock;

/** Whether a lease is renewed automatically. */
public enum Renewal {
  /**
   * The lease is renewed until it is released, while the holder's process and the store are
   * available.
   */
  AUTOMATIC,
  /**
   * The lease ends at its deadline; only {@link Lease#extend} and a longer re-entry prolong it,
   * once each.
   */
  FIXED
}
