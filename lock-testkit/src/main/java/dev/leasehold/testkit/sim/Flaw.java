package dev.leasehold.testkit.sim;

/** Bugs that a simulated server can be given: negative controls for checkers. */
public enum Flaw {
  /** A release frees the lock whatever its token. */
  RELEASE_IGNORES_TOKEN,
  /** A renewal prolongs the lock whatever its token, and confirms it. */
  RENEWAL_IGNORES_TOKEN,
  /** A renewal may shorten the lease. */
  RENEWAL_SHORTENS,
  /** A second request with the same token sets the TTL it asks for, even if more is left. */
  GRANT_SHORTENS,
  /** Locks expire after nine tenths of their lease. */
  EXPIRES_EARLY,
  /** Fences restart at one after a loss of data. */
  FENCE_COUNTS_ONLY,
  /** A fence that is written back is confirmed but not stored. */
  RAISES_NOTHING,
  /**
   * A release sets the last number issued, without a check of the lock's holder and of the numbers
   * issued since.
   */
  GIVES_BACK_BLINDLY,
  /** Waiters are never woken. */
  WAKES_NOBODY
}
