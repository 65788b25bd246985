package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Scheduler.Scheduled;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Timers that all run for the same time, by one of the scheduler's: it is set for the oldest, which
 * is due first. For what mostly ends long before it is due, so that a timer of its own would be set
 * and cancelled, and wake the scheduler's thread, each time for nothing. Thread-safe.
 */
public final class FixedDelayTimers {
  /** Whoever takes so long keeps the others waiting. */
  private static final Duration STUCK = Duration.ofMillis(20);

  private final Scheduler scheduler;
  private final Ticker ticker;
  private final Duration delay;
  private final ReentrantLock mutex = new ReentrantLock();
  private @Nullable Entry oldest;
  private @Nullable Entry newest;

  /** What the scheduler has, and when it is due; null if it has none. */
  private @Nullable Scheduled timer;

  private long rings;

  /** The latest one's number. */
  private long latest;

  public FixedDelayTimers(Scheduler scheduler, Ticker ticker, Duration delay) {
    this.scheduler = scheduler;
    this.ticker = ticker;
    this.delay = delay;
  }

  /** One that runs, between an older one and a newer one. */
  private final class Entry implements Scheduled {
    final Runnable task;
    final long end;
    private @Nullable Entry older;
    private @Nullable Entry newer;
    private boolean over;

    Entry(Runnable task, long end) {
      this.task = task;
      this.end = end;
    }

    void add() {
      older = newest;
      if (newest == null) {
        oldest = this;
      } else {
        newest.newer = this;
      }
      newest = this;
    }

    void remove() {
      if (over) {
        return;
      }
      over = true;
      if (older == null) {
        oldest = newer;
      } else {
        older.newer = newer;
      }
      if (newer == null) {
        newest = older;
      } else {
        newer.older = older;
      }
      older = null; // who keeps this keeps no other
      newer = null;
    }

    @Override
    public void cancel() {
      mutex.lock();
      try {
        remove();
      } finally {
        mutex.unlock();
      }
    }
  }

  /** Starts one; throws what the scheduler does. */
  public Scheduled start(Runnable task) {
    long now = ticker.nanos();
    Entry entry = new Entry(task, now + delay.toNanos());
    mutex.lock();
    try {
      if (timer == null) {
        set(delay, now);
      } else if (now - rings > delay.toNanos()) { // lost, by a scheduler that was shut down
        set(Duration.ZERO, now);
      }
      entry.add();
    } finally {
      mutex.unlock();
    }
    return entry;
  }

  private void set(Duration in, long now) {
    long number = latest + 1;
    timer = scheduler.schedule(in, () -> ring(number));
    latest = number;
    rings = now + in.toNanos();
  }

  /** Leaves no timer behind; nothing is started any more. */
  public void close() {
    mutex.lock();
    try {
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    } finally {
      mutex.unlock();
    }
  }

  private void ring(long number) {
    List<Runnable> due = new ArrayList<>();
    mutex.lock();
    try {
      if (number != latest) {
        return; // it was late, and another one has been set
      }
      timer = null;
      long now = atLeast(rings, ticker.nanos());
      takeUntil(now, due);
      if (oldest != null) {
        set(Duration.ofNanos(oldest.end - now), now);
      }
    } catch (RuntimeException | Error e) { // without a timer they would never be due
      takeAll(due);
    } finally {
      mutex.unlock();
    }
    runAll(new ConcurrentLinkedQueue<>(due));
  }

  /** What is due may run a store's code: if that blocks, another thread goes on with the rest. */
  private void runAll(Queue<Runnable> due) {
    Scheduled other = due.size() > 1 ? goesOn(due) : () -> {};
    for (Runnable task = due.poll(); task != null; task = due.poll()) {
      Outbox.quietly(task);
    }
    other.cancel();
  }

  private Scheduled goesOn(Queue<Runnable> due) {
    try {
      return scheduler.schedule(STUCK, () -> runAll(due));
    } catch (RuntimeException | Error e) {
      return () -> {}; // one after the other, then
    }
  }

  /** A clock that stands still, or was set back, keeps nobody waiting: the scheduler has waited. */
  private static long atLeast(long least, long now) {
    return now - least > 0 ? now : least;
  }

  private void takeUntil(long now, List<Runnable> due) {
    while (oldest != null && oldest.end - now <= 0) {
      take(oldest, due);
    }
  }

  private void takeAll(List<Runnable> due) {
    while (oldest != null) {
      take(oldest, due);
    }
  }

  private static void take(Entry entry, List<Runnable> due) {
    due.add(entry.task);
    entry.remove();
  }
}
