package dev.leasehold.lock.internal.flight;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes events to the flight recorder; creates none that it does not record, and by default
 * records nothing. Never blocks. Thread-safe.
 */
public interface Flight {
  /** The process's recorder; it records nothing if the JDK has no flight recorder. */
  Flight RECORDER = find();

  /** Touches no class of the recorder's module, which may not be there. */
  private static Flight find() {
    Optional<Module> recorder = ModuleLayer.boot().findModule("jdk.jfr");
    if (recorder.isEmpty()) {
      return new Flight() {};
    }
    // It may be present by a command-line option: this module only requires it statically.
    Flight.class.getModule().addReads(recorder.get());
    return new JfrFlight();
  }

  /** Whether acquisitions or holds are recorded. */
  default boolean isOn() {
    return false;
  }

  /** An acquisition begins: null if it is not recorded. */
  default @Nullable Acquiring acquiring(LockKind kind, String lockName) {
    return null;
  }

  /** A hold begins: null if it is not recorded. */
  default @Nullable Holding holding(LockKind kind, String lockName) {
    return null;
  }

  /** A lease was lost. */
  default void lost(LeaseLoss loss) {}

  /** A renewal failed; the lease has this long to go. */
  default void renewalFailed(
      LockKind kind, String lockName, Duration remaining, LockException failure) {}

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
