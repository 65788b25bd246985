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
 * Tells those who follow an acquisition what becomes of it and of its hold: each in order, one call
 * at a time. What happens is put down under the cell's mutex, so the order is the cell's.
 */
public final class AcquisitionNotifier {
  /** Nobody follows. */
  public static final AcquisitionNotifier NONE = new AcquisitionNotifier(new Follower[0]);

  /** An array: none is what nearly all have, and is looked at without making anything. */
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

  /** Whether anybody follows. */
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

  /** One listener, and what it is not told yet. */
  private static final class Follower {
    private final AcquisitionListener listener;
    private final Events events;
    private final Queue<Consumer<AcquisitionListener>> left = new ConcurrentLinkedQueue<>();

    /** How many of those left may be told. */
    private final AtomicInteger due = new AtomicInteger();

    Follower(AcquisitionListener listener, Events events) {
      this.listener = listener;
      this.events = events;
    }

    /** One more may be told. */
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
