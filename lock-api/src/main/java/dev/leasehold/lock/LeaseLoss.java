package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;
import java.io.Serializable;

/**
 * How a lease was lost.
 *
 * @param kind kind of the lock
 * @param lockName name of the lock
 * @param reason why the lease was lost
 * @param detail description of the event, for logs
 */
public record LeaseLoss(LockKind kind, String lockName, Reason reason, String detail)
    implements Serializable {

  /** Why a lease was lost. */
  public enum Reason {
    /** Its deadline passed without a confirmed renewal. */
    EXPIRED,
    /** The store reported that another owner holds the lock, or that it has no holder. */
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
