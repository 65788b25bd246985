package dev.leasehold.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs what managers set off, and knows when all of it has ended.
 *
 * <p>The engines' own work never blocks: while somebody moves the time, that thread does it, in
 * order. Callbacks have threads. One that blocks is waited for once, for a second of the machine's;
 * then it is let be.
 */
final class Workers implements AutoCloseable {
  private static final String PREFIX = "leasehold-memory-";
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

  private final ReentrantLock mutex = new ReentrantLock();
  private final Condition changed = mutex.newCondition();
  private final Queue<Runnable> work = new ArrayDeque<>();
  private final Set<Object> running = new HashSet<>();
  private final ThreadGroup group = new ThreadGroup("leasehold-memory");
  private final ExecutorService pool;
  private boolean attended;

  Workers() {
    AtomicInteger count = new AtomicInteger();
    ThreadFactory threads =
        task -> {
          Thread thread = new Thread(group, task, PREFIX + count.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        };
    pool =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            60,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            threads,
            // After the close what is still to be told has a thread of its own.
            (task, closed) -> threads.newThread(task).start());
  }

  boolean isWorker() {
    return Thread.currentThread().getThreadGroup() == group;
  }

  /** Runs an engine's own work: on the thread that moves the time, if there is one. */
  void runWork(Runnable task) {
    mutex.lock();
    try {
      if (attended) {
        work.add(task);
        changed.signalAll();
        return;
      }
    } finally {
      mutex.unlock();
    }
    run(task);
  }

  /** Runs what may block. */
  void run(Runnable task) {
    Object ticket = new Object();
    mutex.lock();
    try {
      running.add(ticket);
    } finally {
      mutex.unlock();
    }
    try {
      pool.execute(
          () -> {
            try {
              task.run();
            } finally {
              ended(ticket);
            }
          });
    } catch (RuntimeException | Error refused) {
      ended(ticket);
      throw refused;
    }
  }

  private void ended(Object ticket) {
    mutex.lock();
    try {
      running.remove(ticket);
      changed.signalAll();
    } finally {
      mutex.unlock();
    }
  }

  /** From now on this thread does the engines' work, in {@link #settle}. */
  void attend() {
    mutex.lock();
    try {
      attended = true;
    } finally {
      mutex.unlock();
    }
  }

  /** No more; what came meanwhile gets threads. */
  void leave() {
    List<Runnable> left;
    mutex.lock();
    try {
      attended = false;
      left = List.copyOf(work);
      work.clear();
    } finally {
      mutex.unlock();
    }
    left.forEach(this::run);
  }

  /** Does what is there, and waits until all that runs has ended, and what it set off. */
  void settle() {
    for (Runnable task = next(); task != null; task = next()) {
      task.run();
    }
  }

  /** Work, as soon as there is any; null if nothing is left that could bring some. */
  private @Nullable Runnable next() {
    boolean interrupted = false;
    mutex.lock();
    try {
      List<Object> before = new ArrayList<>(running);
      long left = PATIENCE;
      while (work.isEmpty() && !running.isEmpty()) {
        try {
          left = changed.awaitNanos(left);
        } catch (InterruptedException e) {
          interrupted = true;
        }
        if (left <= 0) {
          // What was there a second ago is stuck; what came since has its own second.
          before.forEach(running::remove);
          before = new ArrayList<>(running);
          left = PATIENCE;
        }
      }
      return work.poll();
    } finally {
      mutex.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
