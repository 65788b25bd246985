package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.internal.flight.Flight;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.name.AcquisitionNotifier;
import dev.leasehold.lock.internal.name.Monitor;
import org.jspecify.annotations.Nullable;

/**
 * What observes a hold: nothing, as a rule, so that such holds share {@link #NONE}.
 *
 * @param notifier the listeners that are notified of what happens to it
 * @param flight the Flight Recorder event of the hold, if it is recorded
 * @param origin the stack trace of the acquisition, if that is recorded
 */
record Observers(
    AcquisitionNotifier notifier, Flight.@Nullable Holding flight, @Nullable Throwable origin) {

  static final Observers NONE = new Observers(AcquisitionNotifier.NONE, null, null);

  /** Returns what observes a hold that begins now. */
  static Observers of(Claim claim, Monitor monitor) {
    Flight.Holding flight = Flight.RECORDER.holding(monitor.kind(), monitor.name());
    return flight == null && claim.origin == null && !claim.notifier.isFollowed()
        ? NONE
        : new Observers(claim.notifier, flight, claim.origin);
  }

  /** Ends the Flight Recorder event; {@code how} is null if the hold was released. */
  void tellEnd(Monitor monitor, @Nullable LeaseLoss how) {
    Flight.Holding event = flight;
    if (event != null) {
      monitor.after(() -> event.end(how));
    }
  }
}
