package dev.leasehold.lock.internal.flight;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The JDK's flight recorder. */
final class JfrFlight implements Flight {
  /** Asked whether their kind is on: no event is made to ask. */
  private static final AcquisitionEvent ACQUISITION = new AcquisitionEvent("");

  private static final HoldEvent HOLD = new HoldEvent("");
  private static final LeaseLostEvent LEASE_LOST = new LeaseLostEvent();
  private static final RenewalFailedEvent RENEWAL_FAILED = new RenewalFailedEvent();

  @Override
  public boolean isOn() {
    return ACQUISITION.isEnabled() || HOLD.isEnabled();
  }

  @Override
  public @Nullable Acquiring acquiring(String lockName) {
    if (!ACQUISITION.isEnabled()) {
      return null;
    }
    AcquisitionEvent event = new AcquisitionEvent(lockName);
    event.begin();
    return event;
  }

  @Override
  public @Nullable Holding holding(String lockName) {
    if (!HOLD.isEnabled()) {
      return null;
    }
    HoldEvent event = new HoldEvent(lockName);
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
      event.lock = loss.lockName();
      event.reason = lower(loss.reason());
      event.detail = loss.detail();
      event.commit();
    }
  }

  @Override
  public void renewalFailed(String lockName, Duration remaining, LockException failure) {
    if (!RENEWAL_FAILED.isEnabled()) {
      return;
    }
    RenewalFailedEvent event = new RenewalFailedEvent();
    if (event.shouldCommit()) {
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
