package dev.leasehold.testkit;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The services that a bare store gets when no manager runs on it. */
final class KitContext implements StoreContext, AutoCloseable {
  private final ScheduledExecutorService timers =
      Executors.newSingleThreadScheduledExecutor(KitContext::daemon);

  /**
   * Not the rule's own thread, which a delayed call must not delay. A new thread for each call, so
   * that code which identifies owners by their threads fails either always or never.
   */
  private final Executor blocking = call -> daemon(call).start();

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "kit-store");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public Ticker ticker() {
    return Ticker.system();
  }

  @Override
  public Scheduler scheduler() {
    return (delay, task) -> {
      var timer = timers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> timer.cancel(false);
    };
  }

  @Override
  public Executor blockingExecutor() {
    return blocking;
  }

  @Override
  public Executor executor() {
    return blocking;
  }

  @Override
  public RandomGenerator random() {
    return () -> ThreadLocalRandom.current().nextLong();
  }

  @Override
  public String label() {
    return "kit";
  }

  @Override
  public Duration commandTimeout() {
    return TimeScale.seconds(2);
  }

  @Override
  public void close() {
    timers.shutdownNow();
  }
}
