package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
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
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.hold.Hold;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("Readers at the moment when their lease expires, and which of them may join")
class ReadersDeadlineTest extends ReadersSetting {
  /** A clock that goes on without its timers: they are late. */
  private final AtomicLong now = new AtomicLong();

  private final LockManager late = manager().ticker(now::get).build();

  @AfterEach
  void closeLate() {
    late.close();
  }

  private static Hold holdOf(Lease lease) {
    return ((LeaseHandle) lease).entry().hold;
  }

  @Test
  @DisplayName(
      "A hold that is left past its cell is left in time, or through the cell, which lost it")
  void leaving() {
    Lease inTime = take(readers(late, "in time"));
    Lease tooLate = take(readers(late, "too late"));
    assertTrue(isJoined(inTime) && isJoined(tooLate));
    now.set(holdOf(inTime).deadline() - 1);
    inTime.release();
    now.incrementAndGet();
    LeaseLoss loss = assertThrows(LeaseLostException.class, tooLate::release).loss();
    assertEquals(LeaseLoss.Reason.EXPIRED, loss.reason());
  }

  @Test
  @DisplayName("Any access to the name at that moment detects the loss, without a timer")
  void found() {
    Lease lease = take(readers(late, "one"));
    assertTrue(isJoined(lease));
    CompletableFuture<LeaseLoss> lost = lease.lost().toCompletableFuture();
    DistributedLock other = readers(late, "other");
    now.set(holdOf(lease).deadline() - 1);
    assertEquals(0, other.holdCount());
    assertFalse(lost.isDone());
    now.incrementAndGet();
    assertEquals(0, other.holdCount());
    assertTrue(lost.isDone());
  }

  private DistributedLock side(LockOptions options, String owner) {
    return locks.readWriteLock("r", options).read().as(LockOwner.unique(owner));
  }

  @Test
  @DisplayName("A fixed reader that joins leaves the others' lease renewed")
  void fixedJoins() {
    HandOver often = new HandOver(9, LEASE.multipliedBy(2));
    LockOptions automatic = LockOptions.builder().automaticLease(LEASE).handOver(often).build();
    LockOptions fixed = LockOptions.builder().fixedLease(LEASE).handOver(often).build();
    Lease one = take(side(automatic, "one"));
    Lease other = take(side(automatic, "other"));
    Lease brief = take(side(fixed, "brief"));
    assertSame(holdOf(one).remote, holdOf(brief).remote);
    time.advance(LEASE.multipliedBy(2));
    assertFalse(brief.isValid());
    one.ensureValid();
    other.ensureValid();
    assertThrows(LeaseLostException.class, brief::release);
    one.release();
    other.release();
    assertTrue(store.map.isEmpty());
  }

  @Test
  @DisplayName("An owner that may not rejoin has no seat")
  void noSeat() {
    LockOptions never =
        LockOptions.builder().automaticLease(LEASE).handOver(HandOver.none()).build();
    Lease lease = take(side(never, "never"));
    assertFalse(isJoined(lease));
    lease.release();
    assertTrue(store.map.isEmpty());
  }

  @Test
  @DisplayName("Waiters behind a pending request join its lease, a doubly waiting owner once")
  void joinTogether() {
    store.gate = new CompletableFuture<>();
    CompletableFuture<Lease> asks = one.acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> waits = other.acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> again = other.acquireAsync().toCompletableFuture();
    store.gate.complete(null);
    assertEquals(2, again.join().holdCount());
    assertSame(holdOf(asks.join()).remote, holdOf(waits.join()).remote);
    assertEquals(1, store.map.calls());
    again.join().release();
    waits.join().release();
    asks.join().release();
    assertTrue(store.map.isEmpty());
  }
}
