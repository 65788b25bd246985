package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * User code on an executor of the user's, whatever that does: it can delay and harm only itself.
 */
@Timeout(60)
class UserExecutorsTest extends StuckCallbacks {
  private static final int CHAIN = 3000;

  private enum Kind {
    IN_THE_CALLER,
    REFUSES,
    THROWS,
    RUNS_AND_THROWS,
    SHUT_DOWN;

    Executor make() {
      return switch (this) {
        case IN_THE_CALLER -> Runnable::run;
        case REFUSES ->
            task -> {
              throw new RejectedExecutionException("full");
            };
        case THROWS ->
            task -> {
              throw new Trouble();
            };
        case RUNS_AND_THROWS ->
            task -> {
              task.run();
              throw new Trouble();
            };
        case SHUT_DOWN -> {
          ExecutorService pool = Executors.newSingleThreadExecutor();
          pool.shutdown();
          yield pool;
        }
      };
    }
  }

  /** An error of the user's, without a trace, for quieter logs. */
  private static final class Trouble extends Error {
    private static final long serialVersionUID = 1L;

    Trouble() {
      super("of the user's", null, false, false);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aLossCallbackThatBlocks(Kind kind) throws Exception {
    LockManager locks = manager(b -> b.executor(kind.make()));
    Lease kept = locks.lock("kept", automatic()).acquire();
    CountDownLatch stuck = new CountDownLatch(1);
    locks
        .lock("lost", LockOptions.fixed(BRIEF))
        .acquire()
        .lost()
        .thenRun(
            () -> {
              stuck.countDown();
              block();
            });
    stuck.await();
    // Nothing runs under the mutex of the name whose callback is stuck.
    long begun = System.nanoTime();
    CompletableFuture<Lease> other =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                // It waits for the drift allowance, by which the store's end is later than ours.
                return locks.lock("lost").acquire();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            task -> new Thread(task).start());
    other.get(20, SECONDS).release();
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    assertTrue(took.compareTo(SLACK) < 0, () -> "an attempt took " + took);
    checkUnharmed(locks, kept);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void allHandlesAreToldOnce(Kind kind) throws Exception {
    Set<Thread> timers = ConcurrentHashMap.newKeySet();
    LockManager locks = manager(b -> b.executor(kind.make()).scheduler(noting(timers)));
    List<Lease> handles = new ArrayList<>();
    List<CompletableFuture<Integer>> told = new ArrayList<>();
    AtomicInteger calls = new AtomicInteger();
    AtomicBoolean onTimer = new AtomicBoolean();
    for (int i = 0; i < 3; i++) {
      Lease handle = locks.lock("a", LockOptions.fixed(BRIEF)).acquire();
      handles.add(handle);
      told.add(
          handle
              .lost()
              .handle(
                  (loss, failure) -> {
                    onTimer.compareAndSet(false, timers.contains(Thread.currentThread()));
                    handle.releaseAsync(); // changes the hold while its handles are notified
                    return calls.incrementAndGet();
                  })
              .toCompletableFuture());
    }
    for (CompletableFuture<Integer> one : told) {
      one.get(20, SECONDS);
    }
    assertEquals(3, calls.get());
    assertFalse(onTimer.get(), "a callback ran on the timers' thread");
    locks.lock("a").acquire().release();
  }

  private Scheduler noting(Set<Thread> threads) {
    ScheduledExecutorService pool =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task);
              threads.add(thread);
              return thread;
            });
    open.add(pool::shutdownNow);
    return (delay, task) -> {
      var timer = pool.schedule(task, delay.toNanos(), NANOSECONDS);
      return () -> timer.cancel(false);
    };
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aChainOfThousandsOfWaiters(Kind kind) throws Exception {
    LockManager locks = manager(b -> b.executor(kind.make()));
    Lease first = locks.lock("a").acquire();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < CHAIN; i++) {
      all.add(
          locks.lock("a").acquireAsync().thenCompose(Lease::releaseAsync).toCompletableFuture());
    }
    first.release();
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(30, SECONDS);
    locks.lock("a").tryAcquire().orElseThrow().release();
  }
}
