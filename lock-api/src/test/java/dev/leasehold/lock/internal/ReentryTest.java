package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("A re-entry, which needs neither the store nor a waiter")
class ReentryTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  /** Time stands still until a test moves it, and no timer ever rings. */
  private final AtomicLong now = new AtomicLong();

  private final MapStore store = new MapStore(Ticker.system());
  private final LockManager manager =
      LockManager.over(store)
          .ticker(now::get)
          .scheduler((delay, task) -> () -> {})
          .closeGrace(Duration.ZERO)
          .build();
  private final DistributedLock lock =
      manager.lock("a", LockOptions.builder().automaticLease(LEASE).build());

  @Test
  @DisplayName("past the deadline is refused, though no timer has rung yet")
  void pastTheDeadline() throws Exception {
    Lease lease = lock.acquire();
    now.addAndGet(LEASE.toNanos());
    LeaseLostException refused = assertThrows(LeaseLostException.class, lock::acquire);
    assertEquals(Reason.EXPIRED, refused.loss().reason());
    assertEquals(Reason.EXPIRED, lease.lost().toCompletableFuture().join().reason());
    assertThrows(LeaseLostException.class, lease::release);
  }

  @Test
  @DisplayName("in time gets its own handle; the lock is free after the last release")
  void inTime() throws Exception {
    Lease first = lock.acquire();
    Lease second = lock.tryAcquire().orElseThrow();
    assertEquals(2, first.holdCount());
    assertEquals(first.fencingToken(), second.fencingToken());
    second.release();
    assertTrue(first.isValid());
    assertFalse(second.isValid());
    assertEquals(1, lock.holdCount());
    first.release();
    assertEquals(Optional.empty(), lock.inspect());
  }

  @Test
  @DisplayName("is the owner's alone, whichever thread asks for it")
  void byOwner() {
    LockOwner mine = LockOwner.unique("mine");
    DistributedLock asMine = lock.as(mine);
    Lease lease = asMine.tryAcquire().orElseThrow();
    assertTrue(asMine.tryAcquire().isPresent());
    assertEquals(Optional.empty(), lock.tryAcquire());
    assertEquals(Optional.empty(), lock.as(LockOwner.unique("mine")).tryAcquire());
    assertTrue(lease.isValid());
  }
}
