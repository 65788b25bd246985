package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * All calls that a manager with given guarantees supports, made by two managers, with waiting and
 * waking.
 */
final class EverythingLocksDo {
  private static final Duration WAIT = Duration.ofMillis(300);

  /** Shorter than the length set by {@code extend}. */
  private static final LockOptions TWENTY =
      LockOptions.builder().automaticLease(Duration.ofSeconds(20)).build();

  private static final LockOptions ONCE =
      LockOptions.builder().atLeast(Duration.ofSeconds(30)).build();

  private EverythingLocksDo() {}

  static void with(LockManager one, LockManager two) throws Exception {
    DistributedLock lock = one.lock("orders");
    Lease lease = lock.acquire();
    CompletableFuture<Lease> next = two.lock("orders").acquireAsync().toCompletableFuture();
    awaitRefused(() -> two.lock("orders").tryAcquire(WAIT));
    assertTrue(lease.extend(Duration.ofSeconds(31)));
    assertTrue(lock.inspect().isPresent());
    lease.release();
    Await.value(next).release();
    if (one.guarantees().contains(Guarantee.SHARED)) {
      sides(one.readWriteLock("orders-rw", TWENTY), two.readWriteLock("orders-rw", TWENTY));
    }
    if (one.guarantees().contains(Guarantee.PERMITS)) {
      permits(one.semaphore("orders-permits", 3), two.semaphore("orders-permits", 3));
      if (!one.guarantees().contains(Guarantee.SLOTS)) { // slots cannot be resized
        one.semaphore("orders-permits", 3).resize(4);
      }
    }
    if (one.guarantees().contains(Guarantee.LATCH)) {
      latches(one.latch("orders-latch"), two.latch("orders-latch"));
    }
    if (one.guarantees().contains(Guarantee.TOGETHER)) {
      together(one.all("orders", "orders-2"), two.all("orders-2", "orders"));
    }
    stays(one.lock("orders", ONCE), two.lock("orders"));
  }

  /**
   * Retries until there is a first answer: a new client on a busy machine may not get one within
   * the wait.
   */
  private static void awaitRefused(Callable<Optional<Lease>> attempt) {
    Await.until(
        "it has an answer",
        () -> {
          try {
            assertEquals(Optional.empty(), attempt.call());
            return true;
          } catch (LockStoreException notInTime) {
            return false;
          }
        });
  }

  private static void sides(DistributedReadWriteLock one, DistributedReadWriteLock two)
      throws InterruptedException {
    Lease lease = one.write().acquire();
    CompletableFuture<Lease> next = two.read().acquireAsync().toCompletableFuture();
    awaitRefused(() -> two.read().tryAcquire(WAIT));
    assertTrue(lease.extend(Duration.ofSeconds(31)));
    assertTrue(two.write().inspect().isPresent());
    lease.release();
    Lease read = Await.value(next);
    assertTrue(read.extend(Duration.ofSeconds(29)));
    assertTrue(one.read().inspect().isPresent());
    read.release();
  }

  private static void permits(DistributedSemaphore one, DistributedSemaphore two)
      throws InterruptedException {
    Lease lease = one.acquire(2);
    CompletableFuture<Lease> next = two.acquireAsync(2).toCompletableFuture();
    awaitRefused(() -> two.tryAcquire(2, WAIT));
    assertTrue(lease.extend(Duration.ofSeconds(31)));
    assertEquals(1, two.available());
    lease.release();
    Await.value(next).release();
  }

  private static void latches(DistributedLatch one, DistributedLatch two) {
    assertTrue(one.open(1, Duration.ofMinutes(1)));
    CompletableFuture<Void> passed = two.awaitAsync().toCompletableFuture();
    CompletableFuture<Void> cancelled = one.awaitAsync().toCompletableFuture();
    assertEquals(1, two.count().orElseThrow());
    cancelled.cancel(false);
    assertTrue(one.countDown());
    Await.value(passed);
  }

  private static void together(DistributedLock one, DistributedLock two)
      throws InterruptedException {
    Lease both = one.acquire();
    CompletableFuture<Lease> next = two.acquireAsync().toCompletableFuture();
    awaitRefused(() -> two.tryAcquire(WAIT));
    assertTrue(both.extend(Duration.ofSeconds(31)));
    assertTrue(both.fencingToken() > 0); // taken in one step, or there is no token
    both.release();
    Await.value(next).release();
  }

  private static void stays(DistributedLock once, DistributedLock other)
      throws InterruptedException {
    once.acquire().release();
    awaitRefused(() -> other.tryAcquire());
  }
}
