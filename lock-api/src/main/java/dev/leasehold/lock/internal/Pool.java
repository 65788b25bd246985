package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Threads for one kind of work: as many as there is work, at most 64, and they end after a second
 * of idleness. Where these are all stuck, more are added step by step, at most 1024: what blocks
 * must not keep the rest waiting, and a burst of short work must not start a thread for each.
 *
 * <p>Takes every task, always: also where no thread can be started, which is tried again, and after
 * it was closed, when threads end as soon as they are idle.
 */
final class Pool implements Executor, AutoCloseable {
  private static final int MOST = 64;
  private static final int MOST_IF_STUCK = 1024;
  private static final Duration STUCK = Duration.ofMillis(20);

  private final Queue queue = new Queue();
  private final AtomicBoolean watched = new AtomicBoolean();
  private final Scheduler timers;
  private final ThreadPoolExecutor threads;

  /** Takes a task only if a thread waits for it: idle threads are used before new ones are made. */
  private static final class Queue extends LinkedTransferQueue<Runnable> {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean offer(Runnable task) {
      return tryTransfer(task);
    }
  }

  Pool(ThreadFactory factory, Scheduler timers) {
    this.timers = timers;
    this.threads =
        new ThreadPoolExecutor(
            0,
            MOST,
            1,
            TimeUnit.SECONDS,
            queue,
            factory,
            (task, busy) -> queue.put(task)); // only now does work queue up
  }

  @Override
  public void execute(Runnable task) {
    Runnable quiet = () -> Outbox.quietly(task);
    try {
      threads.execute(quiet);
    } catch (RuntimeException | Error noThread) { // unable to create native thread, for one
      queue.put(quiet);
    }
    if (!queue.isEmpty()) {
      watch();
    }
  }

  /** Looks after a queue until it is empty. */
  private void watch() {
    if (watched.compareAndSet(false, true)) {
      lookLater();
    }
  }

  private void lookLater() {
    Runnable first = queue.peek();
    timers.schedule(STUCK, () -> look(first));
  }

  private void look(@Nullable Runnable firstBefore) {
    Runnable first = queue.peek();
    if (first == null) {
      threads.setMaximumPoolSize(MOST); // those above it end
      watched.set(false);
      if (!queue.isEmpty()) {
        watch();
      }
      return;
    }
    if (first == firstBefore) {
      grow();
    }
    lookLater();
  }

  private void grow() {
    int now = threads.getPoolSize();
    int most = Math.min(MOST_IF_STUCK, Math.max(MOST, 2 * now));
    threads.setMaximumPoolSize(most);
    try {
      for (int more = Math.min(queue.size(), most - now); more > 0; more--) {
        threads.execute(() -> {}); // a thread that then takes from the queue
      }
    } catch (RuntimeException | Error noThread) {
      // With the next look.
    }
  }

  /** Threads end when they have nothing to do. */
  @Override
  public void close() {
    threads.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
  }
}
