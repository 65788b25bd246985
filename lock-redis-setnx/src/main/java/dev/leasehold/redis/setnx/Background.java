package dev.leasehold.redis.setnx;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store's threads for network calls other than its conversations, and the manager's clock and
 * timers. A thread ends after a second without work. Thread-safe.
 */
final class Background implements AutoCloseable {
  /** Until it is tried again to start a thread. */
  private static final Duration NO_THREAD = Duration.ofMillis(20);

  private final ThreadFactory factory;
  private final ThreadPoolExecutor threads;
  private volatile String label = "";
  private volatile Ticker ticker = Ticker.system();
  private volatile @Nullable Scheduler scheduler;

  Background() {
    this(Thread::new);
  }

  /** With threads that a factory makes. */
  Background(ThreadFactory factory) {
    this.factory = factory;
    this.threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            work -> thread("connect", work));
  }

  /** A daemon with the manager's label, not started. */
  Thread thread(String use, Runnable work) {
    Thread thread = factory.newThread(work);
    thread.setName("leasehold-" + use + "-" + label);
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

  /**
   * Runs it on another thread, as soon as one can be started; after the close, on this one. Without
   * timers, as while a store is opened, it throws what the failed start has thrown.
   */
  void execute(Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException closed) {
      work.run();
    } catch (Error noThread) { // such as "unable to create native thread"
      if (!later(NO_THREAD, work)) {
        throw noThread;
      }
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
