package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A clock and its timers, which go on when a test says so, on the test's thread. */
final class ManualTime implements Ticker, Scheduler {
  private final ReentrantLock mutex = new ReentrantLock();
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private volatile long now;
  private long made;

  private record Timer(long due, long number, Runnable task, AtomicBoolean cancelled)
      implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      int byTime = Long.compare(due, other.due);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /**
   * A manager by this time, all of whose steps are on the thread that causes them, and whose close
   * does not wait for holders.
   */
  LockManager.Builder manager(LeaseStore store) {
    return LockManager.over(store)
        .ticker(this)
        .scheduler(this)
        .workers(Runnable::run)
        .executor(Runnable::run)
        .closeGrace(Duration.ZERO);
  }

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public Scheduled schedule(Duration delay, Runnable task) {
    mutex.lock();
    try {
      AtomicBoolean cancelled = new AtomicBoolean();
      timers.add(new Timer(now + Math.max(0, delay.toNanos()), made++, task, cancelled));
      return () -> cancelled.set(true);
    } finally {
      mutex.unlock();
    }
  }

  /** Lets time go by, and what comes due meanwhile happen. */
  void advance(Duration span) {
    long end = now + span.toNanos();
    for (Timer next = dueBy(end); next != null; next = dueBy(end)) {
      now = Math.max(now, next.due);
      if (!next.cancelled.get()) {
        next.task.run();
      }
    }
    now = end;
  }

  /** Lets time go by until the next timer, which runs. Returns false if there is none. */
  boolean advanceToNext() {
    for (Timer next = dueBy(Long.MAX_VALUE); next != null; next = dueBy(Long.MAX_VALUE)) {
      if (!next.cancelled.get()) {
        now = Math.max(now, next.due);
        next.task.run();
        return true;
      }
    }
    return false;
  }

  private @Nullable Timer dueBy(long end) {
    mutex.lock();
    try {
      Timer next = timers.peek();
      return next == null || next.due > end ? null : timers.poll();
    } finally {
      mutex.unlock();
    }
  }
}
