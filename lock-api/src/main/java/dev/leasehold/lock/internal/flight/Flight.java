package dev.leasehold.lock.internal.flight;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Writes events to the flight recorder; creates none that it does not record. Never blocks.
 * Thread-safe.
 */
public interface Flight {
  /** The process's recorder; it records nothing if the JDK has no flight recorder. */
  Flight RECORDER = Flights.find();

  /** Whether acquisitions or holds are recorded. */
  boolean isOn();

  /** An acquisition begins: null if it is not recorded. */
  @Nullable Acquiring acquiring(LockKind kind, String lockName);

  /** A hold begins: null if it is not recorded. */
  @Nullable Holding holding(LockKind kind, String lockName);

  /** A lease was lost. */
  void lost(LeaseLoss loss);

  /** A renewal failed; the lease has this long to go. */
  void renewalFailed(LockKind kind, String lockName, Duration remaining, LockException failure);

  /** An acquisition that is under way. */
  interface Acquiring {
    /** Records the end, now, with the thread and stack of the caller. */
    void end(Outcome outcome, boolean contended);
  }

  /** A hold that goes on. */
  interface Holding {
    /** It has ended. {@code loss} is null if it was released. */
    void end(@Nullable LeaseLoss loss);
  }
}
