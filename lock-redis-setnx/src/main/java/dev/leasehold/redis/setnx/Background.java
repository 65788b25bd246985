package dev.leasehold.redis.setnx;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store's threads for network calls other than its conversations, and the manager's clock and
 * timers. A thread ends after a second without work. Thread-safe.
 */
final class Background implements AutoCloseable {
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);
  private volatile String label = "";
  private volatile Ticker ticker = Ticker.system();
  private volatile @Nullable Scheduler scheduler;

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work, "leasehold-connect-" + label);
    thread.setDaemon(true);
    return thread;
  }

  /** Sets the manager's clock and timers. */
  void start(StoreContext context) {
    label = context.label();
    ticker = context.ticker();
    scheduler = context.scheduler();
  }

  long nanos() {
    return ticker.nanos();
  }

  /** Runs it on another thread; after the close, on this one. */
  void execute(Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException closed) {
      work.run();
    }
  }

  /** Runs it after a delay. False if there are no timers yet. */
  boolean later(Duration delay, Runnable work) {
    Scheduler timers = scheduler;
    if (timers == null) {
      return false;
    }
    timers.schedule(delay, () -> execute(work));
    return true;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
