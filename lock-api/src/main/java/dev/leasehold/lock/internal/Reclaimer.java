package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has cells forget lost holds that nobody can release any more, since nobody comes by to say so:
 * one timer for a manager, and only while there are lost holds. Thread-safe.
 */
final class Reclaimer {
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final Scheduler scheduler;
  private final Set<LockCell> cells = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean timed = new AtomicBoolean();
  private volatile boolean closed;

  Reclaimer(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** A cell has lost holds. */
  void watch(LockCell cell) {
    if (!closed && cells.add(cell) && timed.compareAndSet(false, true)) {
      scheduler.schedule(EVERY, this::sweep);
    }
  }

  private void sweep() {
    timed.set(false);
    for (LockCell cell : List.copyOf(cells)) {
      cells.remove(cell); // before the look, so that what is lost meanwhile is not overlooked
      if (cell.holdCalls().hasLostHolds()) {
        watch(cell);
      }
    }
  }

  void close() {
    closed = true;
    cells.clear();
  }
}
