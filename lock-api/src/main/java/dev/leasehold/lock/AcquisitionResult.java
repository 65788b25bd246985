package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.Optional;

/**
 * The result of an acquisition.
 *
 * @param contended whether another owner, in this or another process, held or waited for the lock
 * @param waited time from the request to this result
 * @param failure the cause, if the acquisition {@linkplain Outcome#FAILED failed}
 */
public record AcquisitionResult(
    Outcome outcome, boolean contended, Duration waited, Optional<LockException> failure) {

  /** How an acquisition ends. */
  public enum Outcome {
    /** The store granted the lock. */
    GRANTED,
    /**
     * The lock was handed over within this process, or taken again from a lease that it kept after
     * a release, or a reader joined other readers of it.
     */
    HANDED_OVER,
    /** The owner holds the lock already: the existing hold continues and no new one begins. */
    REENTERED,
    /** Another owner holds the lock, and the time allowed has passed. */
    REFUSED,
    /** The caller was interrupted or cancelled the acquisition. */
    CANCELLED,
    /** The store failed, the manager was closed, or the owner had lost an earlier hold. */
    FAILED;

    /** Whether an acquisition with this outcome begins a hold. */
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
