package dev.leasehold.lock.spi;

/** What a store answers to a renewal. */
public enum RenewResult {
  /** The lease lasts at least the time asked for. */
  RENEWED,
  /** The token holds nothing, and nothing was changed. */
  NOT_OWNER
}
