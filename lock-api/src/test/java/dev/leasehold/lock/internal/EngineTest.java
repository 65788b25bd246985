package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EngineTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 200;

  private final MapStore store = new MapStore(Ticker.system());
  private final LockManager locks =
      LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();

  @AfterEach
  void close() {
    locks.close();
  }

  @Test
  void takesAndGivesBackInTwoCalls() throws Exception {
    try (Lease lease = locks.lock("a").acquire()) {
      assertTrue(lease.isValid());
      assertTrue(lease.remaining().compareTo(Duration.ofSeconds(30)) < 0);
      assertTrue(locks.lock("a").as(LockOwner.unique("other")).tryAcquire().isEmpty());
    }
    assertEquals(2, store.calls);
    assertTrue(locks.lock("a").inspect().isEmpty());
  }

  @Test
  void reentersWithoutACall() throws Exception {
    DistributedLock lock = locks.lock("a");
    Lease outer = lock.acquire();
    Lease inner = lock.acquire();
    assertEquals(2, inner.holdCount());
    assertEquals(outer.fencingToken(), inner.fencingToken());
    inner.release();
    assertFalse(inner.isValid());
    assertTrue(outer.isValid());
    assertEquals(1, store.calls);
    outer.release();
    assertEquals(2, store.calls);
  }

  @Test
  void threadsExcludeEachOtherAndHandOver() throws Exception {
    DistributedLock lock =
        locks.lock(
            "a", LockOptions.builder().handOver(new HandOver(1000, Duration.ofSeconds(5))).build());
    AtomicLong latest = new AtomicLong();
    long counted =
        count(
            step -> {
              try (Lease lease = lock.acquire()) {
                assertTrue(lease.fencingToken() > latest.getAndSet(lease.fencingToken()));
                step.run();
              }
            });
    assertEquals(THREADS * ROUNDS, counted);
    // Without hand-overs each turn costs two calls. How many there are is the machine's to say.
    assertTrue(store.calls < 2 * THREADS * ROUNDS, () -> store.calls + " calls");
  }

  @Test
  void withoutTheLockTheSameCountFails() throws Exception {
    assertTrue(count(Runnable::run) < THREADS * ROUNDS);
  }

  private interface Guard {
    void around(Runnable step) throws Exception;
  }

  /** Counts in several threads with a read and a write apart, each step under the guard. */
  private static long count(Guard guard) throws Exception {
    long[] count = new long[1];
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> all = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      all.add(
          pool.submit(
              () -> {
                for (int i = 0; i < ROUNDS; i++) {
                  guard.around(
                      () -> {
                        long read = count[0];
                        LockSupport.parkNanos(1); // a yield keeps the processor where it is busy
                        count[0] = read + 1;
                      });
                }
                return null;
              }));
    }
    for (Future<?> one : all) {
      one.get(90, TimeUnit.SECONDS);
    }
    pool.shutdown();
    return count[0];
  }

  @Test
  void aFixedLeaseEndsAndIsSignalled() throws Exception {
    DistributedLock lock = locks.lock("a", LockOptions.fixed(Duration.ofMillis(100)));
    Lease lease = lock.acquire();
    LeaseLoss loss = lease.lost().toCompletableFuture().get(5, TimeUnit.SECONDS);
    assertEquals(LeaseLoss.Reason.EXPIRED, loss.reason());
    assertThrows(LeaseLostException.class, lock::acquire);
    assertThrows(LeaseLostException.class, lease::release);
    lease.release();
    lock.acquire().release();
  }

  @Test
  void anAutomaticLeaseOutlivesItsLength() throws Exception {
    DistributedLock lock =
        locks.lock("a", LockOptions.builder().automaticLease(Duration.ofSeconds(3)).build());
    Lease lease = lock.acquire();
    lease.lost().toCompletableFuture().completeOnTimeout(null, 4, TimeUnit.SECONDS).get();
    assertTrue(lease.isValid());
    lease.release();
  }

  @Test
  void aRemovedKeyIsNoticedByTheNextRenewalAndAtRelease() throws Exception {
    DistributedLock lock =
        locks.lock("a", LockOptions.builder().automaticLease(Duration.ofMillis(1500)).build());
    Lease lease = lock.acquire();
    store.forget();
    LeaseLoss loss = lease.lost().toCompletableFuture().get(5, TimeUnit.SECONDS);
    assertEquals(LeaseLoss.Reason.NOT_OWNER, loss.reason());
    assertThrows(LeaseLostException.class, lease::release);

    Lease second = locks.lock("b").acquire();
    store.forget();
    assertThrows(LeaseLostException.class, second::release);
    assertTrue(second.lost().toCompletableFuture().isDone() || !second.isValid());
  }

  @Test
  void theViewIsAReentrantLock() throws Exception {
    Lock view = locks.lock("a").asLock();
    assertThrows(IllegalMonitorStateException.class, view::unlock);
    view.lock();
    assertTrue(view.tryLock());
    view.unlock();
    Lease plain = locks.lock("a").acquire();
    view.unlock();
    assertThrows(IllegalMonitorStateException.class, view::unlock);
    assertTrue(plain.isValid());
    plain.release();
  }

  @Test
  void extendsOnce() throws Exception {
    Lease lease = locks.lock("a", LockOptions.fixed(Duration.ofSeconds(2))).acquire();
    assertTrue(lease.extend(Duration.ofMinutes(1)));
    assertTrue(lease.remaining().compareTo(Duration.ofSeconds(50)) > 0);
    assertEquals(2, store.calls);
    assertTrue(lease.extend(Duration.ofMillis(1)));
    assertEquals(2, store.calls);
    lease.release();
  }
}
