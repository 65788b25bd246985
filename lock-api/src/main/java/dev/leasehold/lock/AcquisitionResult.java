package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.Optional;

/**
 * What became of an acquisition.
 *
 * @param contended whether others had or wanted the lock: another process, or others of this one
 * @param waited from asking until this was decided
 * @param failure why, if it {@linkplain Outcome#FAILED failed}
 */
public record AcquisitionResult(
    Outcome outcome, boolean contended, Duration waited, Optional<LockException> failure) {

  /** How an acquisition ends. */
  public enum Outcome {
    /** The store granted the lock. */
    GRANTED,
    /** It passed on inside this process, or a reader joined others of it. */
    HANDED_OVER,
    /** Its owner has the lock already: the hold that there is goes on, and no other begins. */
    REENTERED,
    /** Others have the lock, and its time is up. */
    REFUSED,
    /** Its caller was interrupted, or has cancelled it. */
    CANCELLED,
    /** It failed: the store did, the manager was closed, or the owner had lost the lock before. */
    FAILED;

    /** Whether a hold begins with it. */
    public boolean beginsHold() {
      return this == GRANTED || this == HANDED_OVER;
    }
  }

  @Override
  public String toString() {
    return Quoted.record(
        "AcquisitionResult",
        "outcome",
        outcome,
        "contended",
        contended,
        "waited",
        waited,
        "failure",
        failure);
  }
}
