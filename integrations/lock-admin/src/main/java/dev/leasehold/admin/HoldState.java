package dev.leasehold.admin;

/** The state of a hold. States may be added in any release. */
public enum HoldState {
  /** A lease. */
  HELD,
  /**
   * No lease: released, and reserved for a waiter that was woken, for half a second at most. Can't
   * be broken, and need not be.
   */
  RESERVED,
  /**
   * No lease: released and still taken for a while, for the rest of a minimum hold ({@code
   * atLeast}) or after {@link LockAdmin#breakGently}. The holder shown is the former one.
   */
  KEPT,
  /** Taken by {@link LockAdmin#maintain}. */
  MAINTENANCE
}
