package dev.leasehold.lock.spi;

/** A store's answer to a renewal. */
public enum RenewResult {
  /** The lease lasts at least for the time requested. */
  RENEWED,
  /** The token holds nothing, and nothing was changed. */
  NOT_OWNER
}
