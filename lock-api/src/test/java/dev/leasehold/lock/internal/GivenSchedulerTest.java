package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.threads.GuardedExecutors;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Scheduler.Scheduled;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("A scheduler that is shut down before the manager, and late answers")
class GivenSchedulerTest {
  private static final LockOptions BRIEF =
      LockOptions.builder().automaticLease(Duration.ofSeconds(3)).build();

  private final ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);

  private LockManager manager(MapStore store) {
    return LockManager.over(store)
        .closeGrace(Duration.ofMillis(50))
        .scheduler(
            (delay, task) -> {
              var timer = pool.schedule(task, delay.toNanos(), NANOSECONDS);
              return () -> timer.cancel(false);
            })
        .build();
  }

  @Test
  @DisplayName("a lease that is taken afterwards is renewed")
  void renewsAfterwards() throws Exception {
    MapStore store = new MapStore(Ticker.system());
    try (LockManager manager = manager(store)) {
      Lease before = manager.lock("a", BRIEF).acquire();
      pool.shutdownNow();
      Lease after = manager.lock("b", BRIEF).acquire();
      assertTrue(store.isRenewed("b"));
      after.release();
      before.releaseAsync();
    }
  }

  @Test
  @DisplayName("a lease that was taken away before is reported as lost")
  void toldAsLost() throws Exception {
    MapStore store = new MapStore(Ticker.system());
    try (LockManager manager = manager(store)) {
      Lease before = manager.lock("a", LockOptions.fixed(Duration.ofMillis(500))).acquire();
      pool.shutdownNow();
      manager.lock("b", BRIEF).acquire().release();
      before.lost().toCompletableFuture().get(5, SECONDS);
    }
  }

  @Test
  @DisplayName("a task that is cancelled while it moves is not done")
  void cancelledWhileItMoves() {
    AtomicReference<Scheduled> first = new AtomicReference<>();
    AtomicInteger running = new AtomicInteger();
    Scheduler own =
        (delay, task) -> {
          running.incrementAndGet();
          Scheduled mine = first.getAndSet(null);
          if (mine != null && delay.compareTo(Duration.ofMinutes(1)) > 0) {
            mine.cancel(); // by another thread, just then
          } else {
            first.set(mine);
          }
          return running::decrementAndGet;
        };
    AtomicBoolean isFull = new AtomicBoolean();
    Scheduler given =
        GuardedExecutors.scheduler(
            (delay, task) -> {
              if (isFull.get()) {
                throw new RejectedExecutionException("full");
              }
              return () -> {};
            },
            own);
    first.set(given.schedule(Duration.ofHours(1), () -> {}));
    isFull.set(true);
    Scheduled second = given.schedule(Duration.ofSeconds(1), () -> {});
    assertEquals(1, running.get());
    second.cancel();
    assertEquals(0, running.get());
  }

  @Test
  @DisplayName("a timer that was cancelled while it moved is not run, whatever its scheduler does")
  void cancelledIsNotRun() {
    AtomicReference<Scheduled> cancelled = new AtomicReference<>();
    AtomicBoolean isFull = new AtomicBoolean();
    AtomicInteger ran = new AtomicInteger();
    Scheduler given =
        GuardedExecutors.scheduler(
            (delay, task) -> {
              if (isFull.get()) {
                throw new RejectedExecutionException("full");
              }
              return () -> {};
            },
            (delay, task) -> {
              Scheduled first = cancelled.getAndSet(null);
              if (first != null) {
                first.cancel();
              }
              task.run();
              return () -> {};
            });
    Scheduled one = given.schedule(Duration.ofHours(1), ran::incrementAndGet);
    isFull.set(true);
    given.schedule(Duration.ofHours(1), () -> cancelled.set(one));
    assertEquals(0, ran.get());
  }

  @Test
  @DisplayName("a failure that coincides with the time-out is reported once")
  void failsAsItTimesOut() throws Exception {
    int calls = 3000;
    List<Stubborn> all = new ArrayList<>();
    AtomicInteger failed = new AtomicInteger();
    MapStore store =
        new MapStore(Ticker.system()) {
          @Override
          public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
            Stubborn asked = new Stubborn();
            all.add(asked);
            return asked;
          }
        };
    try (LockManager manager =
        LockManager.over(store)
            .commandTimeout(Duration.ofMillis(500))
            .closeGrace(Duration.ofMillis(50))
            .listener(
                event -> {
                  if (event instanceof LockEvent.Failed f && f.operation().equals("acquire")) {
                    failed.incrementAndGet();
                  }
                })
            .build()) {
      List<CompletableFuture<?>> ends = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        ends.add(
            manager
                .lock("a" + i)
                .tryAcquireAsync(Duration.ZERO)
                .handle((found, failure) -> failure)
                .toCompletableFuture());
      }
      Spin.until(() -> ends.get(0).isDone()); // now the rest, as fast as the time-outs go
      for (int i = 1; i < calls; i++) {
        all.get(i).fail();
      }
      for (CompletableFuture<?> end : ends) {
        end.get(5, SECONDS);
      }
      Spin.until(() -> failed.get() >= calls);
      Thread.sleep(300);
      assertEquals(calls, failed.get());
    }
  }

  /** What can't be withdrawn. */
  private static final class Stubborn extends CompletableFuture<AcquireResult> {
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      return false;
    }

    void fail() {
      completeExceptionally(new LockStoreException(LockStoreException.Kind.UNREACHABLE, "late"));
    }
  }

  @Test
  @DisplayName("an answer after the time-out is no second failure")
  void answersLate() throws Exception {
    List<LockEvent> failed = new CopyOnWriteArrayList<>();
    Stubborn stubborn = new Stubborn();
    MapStore store =
        new MapStore(Ticker.system()) {
          @Override
          public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
            return stubborn;
          }
        };
    try (LockManager manager =
        LockManager.over(store)
            .commandTimeout(Duration.ofMillis(100))
            .closeGrace(Duration.ofMillis(50))
            .listener(
                event -> {
                  if (event instanceof LockEvent.Failed f && f.operation().equals("acquire")) {
                    failed.add(event);
                  }
                })
            .build()) {
      manager
          .lock("a")
          .tryAcquireAsync(Duration.ZERO)
          .handle((found, failure) -> failure)
          .toCompletableFuture()
          .get(5, SECONDS);
      stubborn.fail();
      Spin.until(() -> !failed.isEmpty());
      Thread.sleep(300);
      assertEquals(1, failed.size(), failed::toString);
    }
  }
}
