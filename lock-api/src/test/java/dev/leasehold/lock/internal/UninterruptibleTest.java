package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.Ticker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("An uninterruptible acquisition")
class UninterruptibleTest {
  private final LockManager locks = LockManager.over(new MapStore(Ticker.system())).build();
  private final DistributedLock lock = locks.lock("name");

  @AfterEach
  void close() {
    locks.close();
  }

  /** A thread that waits for the lock. */
  private static final class Waiter {
    final AtomicReference<Boolean> interrupted = new AtomicReference<>();
    final CompletableFuture<Lease> lease = new CompletableFuture<>();
    final Thread thread;

    Waiter(DistributedLock lock) {
      thread =
          new Thread(
              () -> {
                Lease taken = lock.acquireUninterruptibly();
                interrupted.set(Thread.interrupted());
                lease.complete(taken);
              });
      thread.start();
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  @DisplayName("keeps its place when its thread is interrupted, and keeps the interrupt")
  void keepsItsPlace() {
    Lease held = lock.tryAcquire().orElseThrow();
    Waiter first = new Waiter(lock);
    CompletableFuture<Lease> second = lock.acquireAsync().toCompletableFuture();
    first.thread.interrupt();
    held.release();
    Lease taken = first.lease.join();
    assertTrue(first.interrupted.get());
    assertFalse(second.isDone());
    taken.release();
    second.join().release();
  }

  @Test
  @DisplayName("returns the lease to a thread that was interrupted before, and keeps the interrupt")
  void interruptedBefore() {
    Thread.currentThread().interrupt();
    Lease lease = lock.acquireUninterruptibly();
    assertTrue(Thread.interrupted());
    assertEquals(1, lock.holdCount());
    lease.release();
  }

  @Test
  @DisplayName("of several locks takes all, whatever interrupts it")
  void several() {
    DistributedLock all = locks.all("name", "other");
    Lease held = lock.tryAcquire().orElseThrow();
    Waiter waiter = new Waiter(all);
    waiter.thread.interrupt();
    held.release();
    Lease taken = waiter.lease.join();
    assertTrue(waiter.interrupted.get());
    taken.ensureValid();
    taken.release();
    assertEquals(0, all.holdCount());
  }
}
