package dev.leasehold.lock.spi;

/** A store's answer to a release. */
public enum ReleaseResult {
  /** The lock is free. */
  RELEASED,
  /** The lock is free and a waiter was woken: this process lets that waiter go first. */
  RELEASED_AND_WOKE,
  /** The token no longer holds the lock, which stays taken: {@link MinimumHold#keep}. */
  KEPT,
  /**
   * A waiter was woken, and the lock is reserved for it for a while, so no other client can
   * overtake it and this process may queue behind it at once.
   */
  PASSED_ON,
  /** The token holds nothing, and nothing was changed. */
  NOT_OWNER
}
