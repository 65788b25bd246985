package dev.leasehold.admin;

/** The state of a hold. States may be added in any release. */
public enum HoldState {
  /** Held under a lease. */
  HELD,
  /**
   * Released, and reserved for at most half a second for a waiter that was woken. It can't be
   * broken, and ends by itself.
   */
  RESERVED,
  /**
   * Released, but unavailable for the rest of a minimum hold ({@code atLeast}), or after {@link
   * LockAdmin#breakGently}. The holder shown is the former one.
   */
  KEPT,
  /** Held by {@link LockAdmin#maintain}. */
  MAINTENANCE
}
