package dev.leasehold.lock.internal.flight;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import java.time.Duration;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's flight recorder, once something has started it. The first event class loads some 200
 * classes of it, a seventh of the time in which a command takes a lock.
 */
final class FlightOnceStarted implements Flight {

  /** Loaded with the first call that needs it. */
  private static final class Started {
    static final Flight JFR = new JfrFlight();
  }

  @Override
  public boolean isOn() {
    return FlightRecorder.isInitialized() && Started.JFR.isOn();
  }

  @Override
  public @Nullable Acquiring acquiring(LockKind kind, String lockName) {
    return FlightRecorder.isInitialized() ? Started.JFR.acquiring(kind, lockName) : null;
  }

  @Override
  public @Nullable Holding holding(LockKind kind, String lockName) {
    return FlightRecorder.isInitialized() ? Started.JFR.holding(kind, lockName) : null;
  }

  @Override
  public void lost(LeaseLoss loss) {
    if (FlightRecorder.isInitialized()) {
      Started.JFR.lost(loss);
    }
  }

  @Override
  public void renewalFailed(
      LockKind kind, String lockName, Duration remaining, LockException failure) {
    if (FlightRecorder.isInitialized()) {
      Started.JFR.renewalFailed(kind, lockName, remaining, failure);
    }
  }
}
