package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;

/**
 * How a lease was lost.
 *
 * @param kind what it was a lease of
 * @param lockName its name
 * @param reason why
 * @param detail what happened, in words for a log
 */
public record LeaseLoss(LockKind kind, String lockName, Reason reason, String detail) {

  /** Why a lease was lost. */
  public enum Reason {
    /** Its deadline passed without a confirmed renewal. */
    EXPIRED,
    /** The store said that somebody else holds the lock, or that nobody does. */
    NOT_OWNER,
    /** The manager was closed. */
    CLOSED
  }

  @Override
  public String toString() {
    return "LeaseLoss[kind="
        + kind
        + ", lockName="
        + Quoted.name(lockName)
        + ", reason="
        + reason
        + ", detail="
        + Quoted.text(detail)
        + "]";
  }
}
