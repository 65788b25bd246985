package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Time for those who wait for locks of several managers, and threads to go on by.
 *
 * @param scheduler its tasks may take long, and may block
 * @param executor the same
 */
record Clock(Ticker ticker, Scheduler scheduler, Executor executor) {

  /** Of no manager: any of several may be closed. */
  static final Clock SYSTEM = system();

  private static Clock system() {
    Pool threads = new Pool(Threads.daemons("leasehold-all"), Clock::delayed);
    return new Clock(
        Ticker.system(), (delay, task) -> delayed(delay, () -> threads.execute(task)), threads);
  }

  /** On the JVM's one thread for delays, where nothing may take long. */
  private static Scheduler.Scheduled delayed(Duration delay, Runnable task) {
    // Not by delayedExecutor, which keeps a task that was cancelled until its time.
    CompletableFuture<Boolean> due =
        new CompletableFuture<Boolean>()
            .completeOnTimeout(true, delay.toNanos(), TimeUnit.NANOSECONDS);
    due.thenAccept(
        runs -> {
          if (runs) {
            task.run();
          }
        });
    return () -> due.complete(false);
  }

  Duration since(long then) {
    return Duration.ofNanos(ticker.nanos() - then);
  }

  /** What is left of a time that began then; empty if there is none. */
  Optional<Duration> left(Optional<Duration> wait, long begun) {
    return wait.map(
        time -> {
          Duration left = time.minusNanos(ticker.nanos() - begun);
          return left.isNegative() ? Duration.ZERO : left;
        });
  }
}
