package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes names forget lost holds that can't be released any more, because their handles are
 * unreachable: one timer for a manager, set only while there are lost holds. Thread-safe.
 */
public final class Reclaimer {
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final Scheduler scheduler;
  private final Set<Watched> names = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean timed = new AtomicBoolean();
  private volatile boolean closed;

  /** The lost holds of one name. */
  public interface Watched {
    /** Returns whether there are lost holds that can still be released; forgets the others. */
    boolean hasLostHolds();
  }

  public Reclaimer(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** A name has lost holds. */
  public void watch(Watched name) {
    if (closed) {
      return;
    }
    names.add(name);
    if (timed.compareAndSet(false, true)) { // also for a name that is watched, but without a timer
      try {
        scheduler.schedule(EVERY, this::sweep);
      } catch (RuntimeException | Error e) { // the loss goes on, and the next one sets the timer
        timed.set(false);
      }
    }
  }

  private void sweep() {
    timed.set(false);
    for (Watched name : List.copyOf(names)) {
      names.remove(name); // before it is checked, so that a hold lost meanwhile is not missed
      if (name.hasLostHolds()) {
        watch(name);
      }
    }
  }

  public void close() {
    closed = true;
    names.clear();
  }
}
