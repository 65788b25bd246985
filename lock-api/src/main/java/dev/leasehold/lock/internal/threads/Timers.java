package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** One thread for any number of timers, there from the beginning. */
public final class Timers implements Scheduler, AutoCloseable {
  private final ScheduledThreadPoolExecutor pool;

  public Timers(ThreadFactory factory) {
    pool = new ScheduledThreadPoolExecutor(1, factory);
    pool.setRemoveOnCancelPolicy(true);
    pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    pool.prestartCoreThread(); // where no thread can be had, that is told now
  }

  @Override
  public Scheduled schedule(Duration delay, Runnable task) {
    try {
      var future =
          pool.schedule(
              () -> Outbox.quietly(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException closed) {
      // The manager has ended, and so has all that it waited for. To run it now would let what
      // tries again and again do so without a pause.
      return () -> {};
    }
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
