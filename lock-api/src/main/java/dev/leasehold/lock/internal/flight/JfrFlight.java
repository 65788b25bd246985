package dev.leasehold.lock.internal.flight;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The JDK's flight recorder. */
final class JfrFlight implements Flight {
  /** Used to ask whether a kind of event is enabled, without creating an event. */
  private static final AcquisitionEvent ACQUISITION = new AcquisitionEvent(LockKind.LOCK, "");

  private static final HoldEvent HOLD = new HoldEvent(LockKind.LOCK, "");
  private static final LeaseLostEvent LEASE_LOST = new LeaseLostEvent();
  private static final RenewalFailedEvent RENEWAL_FAILED = new RenewalFailedEvent();

  @Override
  public boolean isOn() {
    return ACQUISITION.isEnabled() || HOLD.isEnabled();
  }

  @Override
  public @Nullable Acquiring acquiring(LockKind kind, String lockName) {
    if (!ACQUISITION.isEnabled()) {
      return null;
    }
    AcquisitionEvent event = new AcquisitionEvent(kind, lockName);
    event.begin();
    return event;
  }

  @Override
  public @Nullable Holding holding(LockKind kind, String lockName) {
    if (!HOLD.isEnabled()) {
      return null;
    }
    HoldEvent event = new HoldEvent(kind, lockName);
    event.begin();
    return event;
  }

  @Override
  public void lost(LeaseLoss loss) {
    if (!LEASE_LOST.isEnabled()) {
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
    if (!RENEWAL_FAILED.isEnabled()) {
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
