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
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("A scheduler that is shut down before the manager, and answers that come late")
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
  @DisplayName("a lease that was taken before is told as lost")
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
  @DisplayName("an answer after the time-out is no second failure")
  void answersLate() throws Exception {
    List<LockEvent> failed = new CopyOnWriteArrayList<>();
    CompletableFuture<AcquireResult> stubborn =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
          }
        };
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
      stubborn.completeExceptionally(
          new LockStoreException(LockStoreException.Kind.UNREACHABLE, "late"));
      Spin.until(() -> !failed.isEmpty());
      Thread.sleep(300);
      assertEquals(1, failed.size(), failed::toString);
    }
  }
}
