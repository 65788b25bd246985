package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The time, and the threads, of callers that wait for locks of several managers.
 *
 * @param scheduler its tasks may take long, and may block
 * @param executor its tasks may take long, and may block
 */
public record Clock(Ticker ticker, Scheduler scheduler, Executor executor) {

  /** Belongs to no manager, since any of the managers may be closed. */
  public static final Clock SYSTEM = system();

  private static Clock system() {
    Scheduler timers = timers();
    Pool threads = new Pool(Threads.daemons("leasehold-all"), timers);
    return new Clock(
        Ticker.system(),
        (delay, task) -> timers.schedule(delay, () -> threads.execute(task)),
        threads);
  }

  /**
   * One thread, which ends when it is idle; its tasks must be short. Not the JVM's thread for
   * delays, which keeps the class loader of the first application that uses it.
   */
  private static Scheduler timers() {
    ScheduledThreadPoolExecutor pool =
        new ScheduledThreadPoolExecutor(1, Threads.daemons("leasehold-all-timer"));
    pool.setRemoveOnCancelPolicy(true);
    pool.setKeepAliveTime(1, TimeUnit.SECONDS);
    pool.allowCoreThreadTimeOut(true);
    return (delay, task) -> {
      var due =
          pool.schedule(
              () -> Outbox.quietly(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
      return () -> due.cancel(false);
    };
  }

  public Duration since(long then) {
    return Duration.ofNanos(ticker.nanos() - then);
  }

  /** Returns what is left of a time that began then; empty if it has no bound. */
  public Optional<Duration> left(Optional<Duration> wait, long begun) {
    return wait.map(
        time -> {
          Duration left = time.minusNanos(ticker.nanos() - begun);
          return left.isNegative() ? Duration.ZERO : left;
        });
  }
}
