package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** One thread for any number of timers, started for the first of them. Thread-safe. */
public final class Timers implements Scheduler, AutoCloseable {
  private final ScheduledThreadPoolExecutor pool;

  public Timers(ThreadFactory factory) {
    pool = new ScheduledThreadPoolExecutor(1, factory);
    pool.setRemoveOnCancelPolicy(true);
    pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Creates timers whose thread ends when it is idle, and is started again when needed. */
  static Timers endingWhenIdle(ThreadFactory factory) {
    Timers timers = new Timers(factory);
    timers.pool.setKeepAliveTime(1, TimeUnit.SECONDS);
    timers.pool.allowCoreThreadTimeOut(true);
    return timers;
  }

  /** Starts the thread; throws if no thread can be started. */
  void start() {
    pool.prestartCoreThread();
  }

  @Override
  public Scheduled schedule(Duration delay, Runnable task) {
    start(); // if that fails, the task must not stay in the queue
    try {
      var future =
          pool.schedule(
              () -> Outbox.quietly(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException closed) {
      // The manager has ended, and so has everything it waited for. Running the task now would make
      // a loop that retries run without a pause.
      return () -> {};
    }
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
