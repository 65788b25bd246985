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
 * Runs the managers' tasks, and knows when all of them have finished.
 *
 * <p>The engines' own tasks never block: while a thread advances the time, that thread runs them,
 * in order. Callbacks run on a pool. A callback that blocks delays the advance once, for one second
 * of real time; after that it is ignored.
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
            // After the close, remaining callbacks run on new threads.
            (task, closed) -> threads.newThread(task).start());
  }

  boolean isWorker() {
    return Thread.currentThread().getThreadGroup() == group;
  }

  /** Runs a task of an engine: on the thread that advances the time, if there is one. */
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

  /** Runs a task that may block. */
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

  /** From now on this thread runs the engines' tasks, in {@link #settle}. */
  void attend() {
    mutex.lock();
    try {
      attended = true;
    } finally {
      mutex.unlock();
    }
  }

  /** Ends {@link #attend}; remaining tasks run on the pool. */
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

  /**
   * Runs all tasks until none are left and everything on the pool, with everything it triggered,
   * has finished.
   */
  void settle() {
    for (Runnable task = next(); task != null; task = next()) {
      task.run();
    }
  }

  /** The next task, once there is one; null if nothing is running that could add one. */
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
          // Tasks that were running a second ago are stuck; later ones have a second of their own.
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
