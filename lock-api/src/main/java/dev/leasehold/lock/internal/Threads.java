package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.Scheduler;
import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The threads of a manager that was not given any: one for timers, some for work. */
final class Threads {
  private static final int MOST_WORKERS = 64;
  private static final @Nullable Method IS_VIRTUAL = find(Thread.class, "isVirtual");

  private Threads() {}

  static boolean isVirtual(Thread thread) {
    try {
      return IS_VIRTUAL != null && (Boolean) IS_VIRTUAL.invoke(thread);
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /**
   * Virtual threads where the JDK has them, else at most 64 that end after a second of idleness.
   */
  static ExecutorService workers(String label) {
    ExecutorService virtual = virtualWorkers(label);
    return virtual != null ? virtual : platformWorkers(label);
  }

  private static ExecutorService platformWorkers(String label) {
    // A queue that takes a task only if a worker waits for it: threads are reused before new ones
    // are made, and only then does work queue up.
    var queue =
        new LinkedTransferQueue<Runnable>() {
          private static final long serialVersionUID = 1L;

          @Override
          public boolean offer(Runnable task) {
            return tryTransfer(task);
          }
        };
    return new ThreadPoolExecutor(
        0,
        MOST_WORKERS,
        1,
        TimeUnit.SECONDS,
        queue,
        daemons("leasehold-" + label),
        (task, pool) -> {
          if (pool.isShutdown()) {
            throw new RejectedExecutionException("shut down");
          }
          queue.put(task);
        });
  }

  private static @Nullable ExecutorService virtualWorkers(String label) {
    // By name, since the API is compiled for a JDK that does not have them.
    try {
      Class<?> builderType = Class.forName("java.lang.Thread$Builder");
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      builder =
          builderType
              .getMethod("name", String.class, long.class)
              .invoke(builder, "leasehold-" + label + "-", 0L);
      ThreadFactory factory = (ThreadFactory) builderType.getMethod("factory").invoke(builder);
      return (ExecutorService)
          Executors.class
              .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
              .invoke(null, factory);
    } catch (ReflectiveOperationException | UnsupportedOperationException e) {
      return null;
    }
  }

  private static @Nullable Method find(Class<?> type, String name) {
    try {
      return type.getMethod(name);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static ThreadFactory daemons(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** One daemon thread for any number of timers. */
  static final class Timers implements Scheduler, AutoCloseable {
    private final ScheduledThreadPoolExecutor pool;

    Timers(String label) {
      pool = new ScheduledThreadPoolExecutor(1, daemons("leasehold-timer-" + label));
      pool.setRemoveOnCancelPolicy(true);
      pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Scheduled schedule(java.time.Duration delay, Runnable task) {
      try {
        var future = pool.schedule(task, Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
      } catch (RejectedExecutionException closed) {
        task.run(); // after the end every time is up
        return () -> {};
      }
    }

    @Override
    public void close() {
      pool.shutdownNow();
    }
  }
}
