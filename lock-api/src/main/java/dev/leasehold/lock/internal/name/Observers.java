package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.AcquisitionListener;
import dev.leasehold.lock.AcquisitionResult;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.flight.Flight;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What observes an acquisition and its hold. As a rule that is nothing, so that such acquisitions
 * share {@link #NONE}. Each listener is notified in order, one call at a time: notifications are
 * queued under the name's mutex, which determines their order.
 */
public final class Observers {
  /** No observers. */
  public static final Observers NONE = new Observers(new Follower[0], null, null);

  /** An array, because it is nearly always empty and is iterated without allocation. */
  private final Follower[] followers;

  private final @Nullable Throwable origin;

  /** The Flight Recorder event of the hold, if it is recorded. */
  private final Flight.@Nullable Holding flight;

  private Observers(
      Follower[] followers, @Nullable Throwable origin, Flight.@Nullable Holding flight) {
    this.followers = followers;
    this.origin = origin;
    this.flight = flight;
  }

  /**
   * Returns the observers of an acquisition.
   *
   * @param origin the stack trace of the acquisition; null if that is not recorded
   */
  public static Observers of(
      List<AcquisitionListener> listeners, @Nullable Throwable origin, Events events) {
    return listeners.isEmpty() && origin == null
        ? NONE
        : new Observers(
            listeners.stream().map(one -> new Follower(one, events)).toArray(Follower[]::new),
            origin,
            null);
  }

  /** Returns the observers of the acquisition's hold, which begins now. */
  public Observers ofHold(Monitor monitor) {
    Flight.Holding event = Flight.RECORDER.holding(monitor.kind(), monitor.name());
    return event == null ? this : new Observers(followers, origin, event);
  }

  /** Returns the stack trace of the acquisition, if that is recorded. */
  public @Nullable Throwable origin() {
    return origin;
  }

  /** Returns whether there are listeners. */
  public boolean isFollowed() {
    return followers.length > 0;
  }

  public void decided(Monitor monitor, AcquisitionResult result) {
    tell(monitor, follower -> follower.decided(result));
  }

  /** Records the release of the hold. */
  public void released(Monitor monitor) {
    tell(monitor, AcquisitionListener::released);
    endFlight(monitor, null);
  }

  /** Records the loss of the hold. */
  public void lost(Monitor monitor, LeaseLoss loss) {
    endFlight(monitor, loss);
    ended(monitor, Optional.of(loss));
  }

  private void endFlight(Monitor monitor, @Nullable LeaseLoss how) {
    Flight.Holding event = flight;
    if (event != null) {
      monitor.after(() -> event.end(how));
    }
  }

  /** Notifies the listeners that the lease has ended; the hold was recorded before. */
  public void ended(Monitor monitor, Optional<LeaseLoss> loss) {
    tell(monitor, follower -> follower.ended(loss));
  }

  private void tell(Monitor monitor, Consumer<AcquisitionListener> what) {
    for (Follower follower : followers) {
      follower.left.add(what);
      monitor.after(follower::go);
    }
  }

  /** A listener and its pending notifications. */
  private static final class Follower {
    private final AcquisitionListener listener;
    private final Events events;
    private final Queue<Consumer<AcquisitionListener>> left = new ConcurrentLinkedQueue<>();

    /** How many of the pending notifications may be delivered. */
    private final AtomicInteger due = new AtomicInteger();

    Follower(AcquisitionListener listener, Events events) {
      this.listener = listener;
      this.events = events;
    }

    /** Allows one more notification to be delivered. */
    void go() {
      if (due.getAndIncrement() == 0) {
        events.run(this::tell);
      }
    }

    private void tell() {
      do {
        Consumer<AcquisitionListener> next = left.remove();
        events.quietly(() -> next.accept(listener));
      } while (due.decrementAndGet() > 0);
    }
  }
}
