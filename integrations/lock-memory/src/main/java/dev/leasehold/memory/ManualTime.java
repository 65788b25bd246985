package dev.leasehold.memory;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A clock and its timers, advanced by a test on the test's thread. */
final class ManualTime implements Ticker {
  private final ReentrantLock mutex = new ReentrantLock();
  private final ReentrantLock advancing = new ReentrantLock();
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private final Workers workers;
  private volatile long now;
  private long made;

  private record Timer(
      long due, long number, MemoryProcess owner, Runnable task, AtomicBoolean over)
      implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      int byTime = Long.compare(due, other.due);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  ManualTime(Workers workers) {
    this.workers = workers;
  }

  @Override
  public long nanos() {
    return now;
  }

  /** The timers of one process, which stop while it is paused. */
  Scheduler timersOf(MemoryProcess owner) {
    return (delay, task) -> {
      AtomicBoolean over = new AtomicBoolean();
      mutex.lock();
      try {
        timers.add(new Timer(now + Math.max(0, delay.toNanos()), made++, owner, task, over));
      } finally {
        mutex.unlock();
      }
      return () -> over.set(true);
    };
  }

  /**
   * Advances the time. Timers run one after another, each at its time, and everything they trigger
   * has finished before time advances further.
   */
  void advance(Duration span) {
    if (advancing.isHeldByCurrentThread() || workers.isWorker()) {
      throw new IllegalStateException("time can't be moved from what it has set off");
    }
    advancing.lock();
    try {
      workers.attend();
      workers.settle();
      long end = now + span.toNanos();
      for (Timer next = dueBy(end); next != null; next = dueBy(end)) {
        now = Math.max(now, next.due);
        next.task.run();
        workers.settle();
      }
      now = end;
    } finally {
      workers.leave();
      advancing.unlock();
    }
  }

  private @Nullable Timer dueBy(long end) {
    List<Timer> standing = new ArrayList<>();
    mutex.lock();
    try {
      for (Timer next = timers.poll(); next != null; next = timers.poll()) {
        if (next.over.get() || next.owner.hasCrashed()) {
          continue;
        }
        if (!next.owner.isPaused()) {
          if (next.due > end) {
            timers.add(next);
            return null;
          }
          return next;
        }
        standing.add(next);
      }
      return null;
    } finally {
      timers.addAll(standing);
      mutex.unlock();
    }
  }
}
