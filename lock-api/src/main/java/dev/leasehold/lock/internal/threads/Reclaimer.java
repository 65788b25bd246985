package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has names forget lost holds that nobody can release any more, since nobody comes by to say so:
 * one timer for a manager, and only while there are lost holds. Thread-safe.
 */
public final class Reclaimer {
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final Scheduler scheduler;
  private final Set<Watched> names = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean timed = new AtomicBoolean();
  private volatile boolean closed;

  /** What one name keeps in mind. */
  public interface Watched {
    /** Whether there are lost holds that somebody can still release; forgets the others. */
    boolean hasLostHolds();
  }

  public Reclaimer(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** A name has lost holds. */
  public void watch(Watched name) {
    if (!closed && names.add(name) && timed.compareAndSet(false, true)) {
      scheduler.schedule(EVERY, this::sweep);
    }
  }

  private void sweep() {
    timed.set(false);
    for (Watched name : List.copyOf(names)) {
      names.remove(name); // before the look, so that what is lost meanwhile is not overlooked
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
