package dev.leasehold.lock.spi;

/** Whether a refused request stands in the store's line of waiters. */
public enum Waiting {
  /** It does not wait, and writes nothing. */
  NO,
  /** It waits, and writes its own place. */
  YES
}
