package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.AcquisitionListener;
import dev.leasehold.lock.AcquisitionResult;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.internal.events.Events;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Notifies the listeners of an acquisition of what happens to it and to its hold: each listener in
 * order, one call at a time. Notifications are queued under the name's mutex, which determines
 * their order.
 */
public final class AcquisitionNotifier {
  /** A notifier without listeners. */
  public static final AcquisitionNotifier NONE = new AcquisitionNotifier(new Follower[0]);

  /** An array, because it is nearly always empty and is iterated without allocation. */
  private final Follower[] followers;

  private AcquisitionNotifier(Follower[] followers) {
    this.followers = followers;
  }

  public static AcquisitionNotifier of(List<AcquisitionListener> listeners, Events events) {
    return listeners.isEmpty()
        ? NONE
        : new AcquisitionNotifier(
            listeners.stream().map(one -> new Follower(one, events)).toArray(Follower[]::new));
  }

  /** Returns whether there are listeners. */
  public boolean isFollowed() {
    return followers.length > 0;
  }

  public void decided(Monitor monitor, AcquisitionResult result) {
    tell(monitor, follower -> follower.decided(result));
  }

  public void released(Monitor monitor) {
    tell(monitor, AcquisitionListener::released);
  }

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
