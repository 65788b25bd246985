package dev.leasehold.lock.internal.flight;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import java.time.Duration;
import java.util.Locale;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's flight recorder. Its event classes are loaded once something has started it: the first
 * one loads some 200 classes more, a seventh of the time in which a command takes a lock.
 */
final class JfrFlight implements Flight {

  /** Used to ask whether a kind of event is enabled, without creating an event. */
  private static final class Kinds {
    static final AcquisitionEvent ACQUISITION = new AcquisitionEvent(LockKind.LOCK, "");
    static final HoldEvent HOLD = new HoldEvent(LockKind.LOCK, "");
    static final LeaseLostEvent LEASE_LOST = new LeaseLostEvent();
    static final RenewalFailedEvent RENEWAL_FAILED = new RenewalFailedEvent();
  }

  @Override
  public boolean isOn() {
    return FlightRecorder.isInitialized()
        && (Kinds.ACQUISITION.isEnabled() || Kinds.HOLD.isEnabled());
  }

  @Override
  public @Nullable Acquiring acquiring(LockKind kind, String lockName) {
    if (!FlightRecorder.isInitialized() || !Kinds.ACQUISITION.isEnabled()) {
      return null;
    }
    AcquisitionEvent event = new AcquisitionEvent(kind, lockName);
    event.begin();
    return event;
  }

  @Override
  public @Nullable Holding holding(LockKind kind, String lockName) {
    if (!FlightRecorder.isInitialized() || !Kinds.HOLD.isEnabled()) {
      return null;
    }
    HoldEvent event = new HoldEvent(kind, lockName);
    event.begin();
    return event;
  }

  @Override
  public void lost(LeaseLoss loss) {
    if (!FlightRecorder.isInitialized() || !Kinds.LEASE_LOST.isEnabled()) {
      return;
    }
    LeaseLostEvent event = new LeaseLostEvent();
    if (event.shouldCommit()) {
      event.kind = lower(loss.kind());
      event.lock = loss.lockName();
      event.reason = lower(loss.reason());
      event.detail = loss.detail();
      event.commit();
    }
  }

  @Override
  public void renewalFailed(
      LockKind kind, String lockName, Duration remaining, LockException failure) {
    if (!FlightRecorder.isInitialized() || !Kinds.RENEWAL_FAILED.isEnabled()) {
      return;
    }
    RenewalFailedEvent event = new RenewalFailedEvent();
    if (event.shouldCommit()) {
      event.kind = lower(kind);
      event.lock = lockName;
      event.remaining = remaining.toMillis();
      event.failure = String.valueOf(failure.getMessage());
      event.commit();
    }
  }

  static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
