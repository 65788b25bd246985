package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("The signal of a loss, which applications may ask for as often as they like")
class LossSignalTest {
  private final MapStore store = new MapStore(Ticker.system());
  private final LockManager manager =
      LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();

  @AfterEach
  void close() {
    manager.close();
  }

  @Test
  @DisplayName("keeps nothing for each call while the lease is held")
  void oneForAllCalls() throws Exception {
    Lease lease = manager.lock("a").acquire();
    for (int i = 0; i < 1000; i++) {
      assertFalse(lease.lost().toCompletableFuture().isDone());
    }
    assertEquals(1, ((LeaseHandle) lease).loss().getNumberOfDependents());
    assertSame(lease.lost().toCompletableFuture(), lease.lost().toCompletableFuture());
    Lease all = manager.all("b", "c").acquire();
    assertSame(all.lost().toCompletableFuture(), all.lost().toCompletableFuture());
    lease.release();
    all.release();
  }

  @Test
  @DisplayName("is the same for all, whatever one of them does to it")
  void nobodyChangesIt() throws Exception {
    Lease lease = manager.lock("a").acquire();
    Lease all = manager.all("b", "c").acquire();
    for (Lease each : new Lease[] {lease, all}) {
      CompletableFuture<LeaseLoss> lost = each.lost().toCompletableFuture();
      assertFalse(lost.cancel(true));
      assertFalse(lost.complete(null));
      assertFalse(lost.completeExceptionally(new IllegalStateException("of the test's")));
      assertThrows(UnsupportedOperationException.class, () -> lost.obtrudeValue(null));
      assertThrows(
          UnsupportedOperationException.class,
          () -> lost.obtrudeException(new IllegalStateException("of the test's")));
      assertInstanceOfTimeout(lost.orTimeout(1, MILLISECONDS));
      assertEquals(null, lost.completeOnTimeout(null, 1, MILLISECONDS).get(20, SECONDS));
      assertEquals(null, lost.completeAsync(() -> null).get(20, SECONDS));
      assertThrows(TimeoutException.class, () -> lost.get(1, MILLISECONDS));
      assertFalse(lost.isDone());
      CompletableFuture<LeaseLoss> told = each.lost().thenApply(loss -> loss).toCompletableFuture();
      store.forget();
      assertFalse(each.extend(Duration.ofMinutes(5)));
      assertEquals(LeaseLoss.Reason.NOT_OWNER, lost.get(20, SECONDS).reason());
      assertTrue(told.get(20, SECONDS).reason() == LeaseLoss.Reason.NOT_OWNER);
    }
  }

  private static void assertInstanceOfTimeout(CompletableFuture<?> timed) {
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> timed.get(20, SECONDS));
    assertEquals(TimeoutException.class, failed.getCause().getClass());
  }
}
