package dev.leasehold.lock.internal.threads;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Threads for one kind of work: as many as there are tasks, at most 64, ending after a second of
 * idleness. If all of them are stuck, more are added step by step, at most 1024: tasks that block
 * must not delay the others, and a burst of short tasks must not start a thread for each.
 *
 * <p>It never refuses a task: if no thread can be started, it tries again later; after the close,
 * threads end as soon as they are idle.
 */
public final class Pool implements Executor, AutoCloseable {
  private static final int MOST = 64;
  private static final int MOST_IF_STUCK = 1024;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Duration STUCK = Duration.ofMillis(20);

  private final ThreadFactory factory;
  private final Scheduler timers;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Condition work = mutex.newCondition();

  @GuardedBy("mutex")
  private final Queue<Runnable> queue = new ArrayDeque<>();

  @GuardedBy("mutex")
  private int threads;

  @GuardedBy("mutex")
  private int idle;

  @GuardedBy("mutex")
  private boolean watched;

  @GuardedBy("mutex")
  private boolean closed;

  public Pool(ThreadFactory factory, Scheduler timers) {
    this.factory = factory;
    this.timers = timers;
  }

  @Override
  public void execute(Runnable task) {
    boolean starts;
    boolean watches;
    mutex.lock();
    try {
      queue.add(task);
      starts = queue.size() > idle && threads < MOST;
      if (starts) {
        threads++;
      } else {
        work.signal();
      }
      watches = !watched && !starts && queue.size() > idle;
      watched |= watches;
    } finally {
      mutex.unlock();
    }
    if (starts && !start()) {
      watch();
    } else if (watches) {
      lookLater(null);
    }
  }

  /** Starts a thread that is already counted; if it can't, uncounts it and returns false. */
  private boolean start() {
    try {
      factory.newThread(this::run).start();
      return true;
    } catch (RuntimeException | Error noThread) { // such as "unable to create native thread"
      uncount();
      return false;
    }
  }

  private void run() {
    for (Runnable task = next(); task != null; task = next()) {
      Outbox.quietly(task);
    }
  }

  /** Returns the next task; null if this thread is to end. */
  private @Nullable Runnable next() {
    mutex.lock();
    try {
      awaitWork();
      Runnable task = queue.poll();
      if (task == null) {
        threads--;
      }
      return task;
    } finally {
      mutex.unlock();
    }
  }

  @GuardedBy("mutex")
  private void awaitWork() {
    long left = IDLE_NANOS;
    while (queue.isEmpty() && left > 0 && !closed) {
      idle++;
      try {
        left = work.awaitNanos(left);
      } catch (InterruptedException e) {
        // Of a task that has ended.
      } finally {
        idle--;
      }
    }
  }

  // ---- threads that are stuck, or can't be started ----

  private void watch() {
    mutex.lock();
    try {
      if (watched) {
        return;
      }
      watched = true;
    } finally {
      mutex.unlock();
    }
    lookLater(null);
  }

  private void lookLater(@Nullable Runnable first) {
    try {
      timers.schedule(STUCK, () -> look(first));
    } catch (RuntimeException | Error e) { // no task is refused for that; the next one tries again
      mutex.lock();
      try {
        watched = false;
      } finally {
        mutex.unlock();
      }
    }
  }

  /** Adds threads if the queue has not moved; looks again until it is empty. */
  private void look(@Nullable Runnable firstBefore) {
    Runnable first;
    int more = 0;
    mutex.lock();
    try {
      first = queue.peek();
      if (first == null) {
        watched = false;
        return;
      }
      if (first == firstBefore || threads == 0) {
        int most = Math.min(MOST_IF_STUCK, Math.max(MOST, 2 * threads));
        more = Math.max(0, Math.min(queue.size() - idle, most - threads));
        threads += more;
      }
    } finally {
      mutex.unlock();
    }
    for (boolean can = true; more > 0; more--) {
      if (can) {
        can = start();
      } else {
        uncount();
      }
    }
    lookLater(first);
  }

  private void uncount() {
    mutex.lock();
    try {
      threads--;
    } finally {
      mutex.unlock();
    }
  }

  /** Threads end when they have nothing to do. */
  @Override
  public void close() {
    mutex.lock();
    try {
      closed = true;
      work.signalAll();
    } finally {
      mutex.unlock();
    }
  }
}
