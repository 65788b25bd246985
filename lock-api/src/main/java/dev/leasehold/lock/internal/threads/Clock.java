package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

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
    // Not the JVM's thread for delays, which keeps the class loader of the first application that
    // uses it.
    Scheduler timers = Timers.endingWhenIdle(Threads.daemons("leasehold-all-timer"));
    Pool threads = new Pool(Threads.daemons("leasehold-all"), timers);
    return new Clock(
        Ticker.system(),
        (delay, task) -> timers.schedule(delay, () -> threads.execute(task)),
        threads);
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
