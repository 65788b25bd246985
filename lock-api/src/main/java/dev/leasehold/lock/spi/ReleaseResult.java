package dev.leasehold.lock.spi;

/** What a store answers to a release. */
public enum ReleaseResult {
  /** The lock is free. */
  RELEASED,
  /** The lock is free and a waiter was woken: this process lets it go first. */
  RELEASED_AND_WOKE,
  /** The token holds nothing any more, and the lock stays taken: {@link MinimumHold#keep}. */
  KEPT,
  /**
   * A waiter was woken, and for a while the lock is kept for it: nobody can get in before it, so
   * this process may get in line behind it at once.
   */
  PASSED_ON,
  /** The token holds nothing, and nothing was changed. */
  NOT_OWNER
}
