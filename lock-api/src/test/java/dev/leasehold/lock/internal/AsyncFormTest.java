package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The asynchronous form as README writes it: what becomes of the lock when the work does not. */
@Timeout(20)
class AsyncFormTest {
  private final ManualTime time = new ManualTime();
  private final LockManager locks = time.manager(new MapStore(time)).build();
  private final DistributedLock lock = locks.lock("l");

  @AfterEach
  void close() {
    locks.close();
  }

  private static CompletableFuture<Void> under(
      CompletableFuture<Lease> asked, Consumer<Lease> work) {
    return asked.thenCompose(
        lease -> {
          try {
            work.accept(lease);
          } catch (Throwable e) { // an Error, too, would leave the lock held
            lease.releaseAsync();
            throw e;
          }
          return lease.releaseAsync();
        });
  }

  private CompletableFuture<Lease> asked() {
    return lock.acquireAsync().toCompletableFuture();
  }

  private boolean isFree() {
    return lock.as(LockOwner.unique("looks"))
        .tryAcquire()
        .map(
            lease -> {
              lease.release();
              return true;
            })
        .orElse(false);
  }

  @Test
  void workThatThrowsGivesTheLockBack() {
    CompletableFuture<Void> done =
        under(
            asked(),
            lease -> {
              throw new IllegalStateException("thrown by the test");
            });
    assertThrows(CompletionException.class, done::join);
    assertTrue(isFree());
  }

  @Test
  void cancellingWhatAsksGivesThePlaceUp() throws Exception {
    Lease held = lock.acquire();
    List<Lease> worked = new ArrayList<>();
    CompletableFuture<Lease> asked = asked();
    CompletableFuture<Void> done = under(asked, worked::add);
    assertTrue(asked.cancel(false));
    assertTrue(done.isCompletedExceptionally());
    held.release();
    assertTrue(isFree());
    assertEquals(List.of(), worked);
  }

  /** Why README says so: there is no caller left to release it. */
  @Test
  void cancellingWhatDependsOnItDoesNot() throws Exception {
    Lease held = lock.acquire();
    CompletableFuture<Lease> asked = asked();
    CompletableFuture<Void> dependent = asked.thenCompose(Lease::releaseAsync);
    assertTrue(dependent.cancel(false));
    held.release();
    assertFalse(isFree());
    asked.join().release();
    assertTrue(isFree());
  }
}
