package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
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
import dev.leasehold.lock.internal.hold.HoldEntry;
import dev.leasehold.lock.internal.hold.OpenLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("Readers that have left, and have not reached their cell yet")
class ReadersLeavingTest extends ReadersSetting {
  private static Hold holdOf(Lease lease) {
    return ((LeaseHandle) lease).entry().hold;
  }

  private static CompletableFuture<Void> comesToItsCell(Lease lease) {
    LeaseHandle handle = (LeaseHandle) lease;
    return handle.calls().leftAsLast(handle.entry(), null);
  }

  @Test
  @DisplayName("If two have left without checking for others, the second releases the lease")
  void leavingTogether() {
    Lease first = take(one);
    Lease second = take(other);
    assertTrue(isJoined(second));
    assertTrue(holdOf(first).leaveByItself());
    assertTrue(holdOf(second).leaveByItself());
    Lease third = take(readers("third"));
    for (Lease left : List.of(first, second)) { // as if each came to its cell only now
      comesToItsCell(left).join();
      third.ensureValid();
      assertTrue(store.isLive(third.fencingToken()));
    }
    assertFalse(store.isLive(first.fencingToken()));
    third.release();
    assertTrue(store.map.isEmpty());
  }

  @Test
  @DisplayName("A reader that comes after all have left and the lease is released asks the store")
  void comesAgain() {
    Lease first = take(one);
    assertTrue(isJoined(first));
    first.release();
    assertTrue(store.map.isEmpty());
    Lease again = take(one);
    assertTrue(store.isLive(again.fencingToken()));
    again.release();
    assertTrue(store.map.isEmpty());
  }

  @Test
  @DisplayName("An owner that joins before the last leaver has reached its cell keeps the lease")
  void joinedMeanwhile() {
    Lease first = take(one);
    take(other).release();
    assertTrue(holdOf(first).leaveByItself());
    Lease second = take(other);
    assertTrue(isJoined(second));
    comesToItsCell(first).join();
    second.ensureValid();
    assertTrue(store.isLive(second.fencingToken()));
    second.release();
    assertTrue(store.map.isEmpty());
  }

  @Test
  @DisplayName("A close releases what was left by a thread that has not reached its cell yet")
  void closedWhileLeaving() {
    Lease only = take(one);
    assertTrue(holdOf(only).leaveByItself());
    locks.close();
    assertTrue(store.map.isEmpty());
    comesToItsCell(only).join();
  }

  @Test
  @DisplayName("So it does where another has taken a newer lease meanwhile")
  void closedWhileLeavingAnOlderOne() {
    Lease only = take(one);
    assertTrue(holdOf(only).leaveByItself());
    take(other).release();
    locks.close();
    comesToItsCell(only).exceptionally(gone -> null).join();
    assertTrue(store.map.isEmpty());
  }

  @Test
  @DisplayName("No owner joins a closed lease, nor leaves it unnoticed by the cell")
  void closedSeats() {
    LockOwner owner = LockOwner.unique("known");
    DistributedLock known = locks.readWriteLock("r", options).read().as(owner);
    Lease first = take(one);
    take(known).release();
    OpenLease home = Objects.requireNonNull(holdOf(first).home);
    HoldEntry again = Objects.requireNonNull(home.join(owner, options, time.nanos()));
    new LeaseHandle(((LeaseHandle) first).calls(), again).release();
    List<Hold> taken = new ArrayList<>();
    home.close(taken::add);
    assertEquals(List.of(holdOf(first)), taken);
    assertNull(home.join(owner, options, time.nanos()));
    assertFalse(holdOf(first).leaveByItself());
  }

  @Test
  @DisplayName(
      "A waiter whose lease a lost reader released before reaching its cell has lost nothing")
  void leavingBesideALostOne() {
    Beside two = besideALostOne();
    assertTrue(holdOf(two.joined).leaveByItself());
    assertThrows(LeaseLostException.class, two.fixed::release);
    comesToItsCell(two.joined).join();
    assertTrue(store.map.isEmpty());
  }

  @Test
  @DisplayName("The last reader's release frees the lock, even if a lost one is never released")
  void releasedBesideALostOne() {
    Beside two = besideALostOne();
    two.joined.release();
    assertTrue(store.map.isEmpty());
    assertThrows(LeaseLostException.class, two.fixed::release);
  }

  @Test
  @DisplayName("So does a close that finds it on its way to its cell")
  void closedBesideALostOne() {
    Beside two = besideALostOne();
    assertTrue(holdOf(two.joined).leaveByItself());
    locks.close();
    assertTrue(store.map.isEmpty());
    comesToItsCell(two.joined).join();
    assertThrows(LeaseLostException.class, two.fixed::release);
  }

  @Test
  @DisplayName("One on its way at a close leaves the lease to those that the close ended")
  void leavingBesideOneThatACloseEnded() {
    try (LockManager patient = manager().closeGrace(Duration.ofSeconds(10)).build()) {
      Lease held = take(readers(patient, "one"));
      Lease left = take(readers(patient, "other"));
      assertTrue(holdOf(left).leaveByItself());
      CompletableFuture<LeaseLoss> lost = held.lost().toCompletableFuture();
      CompletableFuture<Void> closed = CompletableFuture.runAsync(patient::close);
      lost.join();
      comesToItsCell(left).join();
      assertTrue(store.isLive(held.fencingToken()));
      assertThrows(LeaseLostException.class, held::release);
      closed.join();
      assertTrue(store.map.isEmpty());
    }
  }

  @Test
  @DisplayName("The last of those frees the lock, even if one lost before is never released")
  void endedByACloseBesideALostOne() {
    Beside two = besideALostOne();
    two.joined.lost().thenAccept(closing -> two.joined.release());
    locks.close();
    assertTrue(store.map.isEmpty());
    assertThrows(LeaseLostException.class, two.fixed::release);
  }

  /** A joined reader and an expired one that is not released, over one lease. */
  private record Beside(Lease joined, Lease fixed) {}

  private Beside besideALostOne() {
    LockOptions many =
        LockOptions.builder()
            .automaticLease(LEASE)
            .handOver(new HandOver(9, LEASE.multipliedBy(2)))
            .build();
    DistributedLock[] two = {side(many, "d"), side(many, "e")};
    Lease joined = take(two[0]);
    Lease fixed = take(side(many.toBuilder().fixedLease(LEASE).build(), "f"));
    for (int i = 1; fixed.isValid() || !isJoined(joined); ) {
      if (isJoined(joined)) {
        time.advance(Duration.ofMillis(100));
      } else { // those that stand on a lease that closes are its cell's: at the end as well
        Lease next = take(two[i++ % 2]);
        joined.release();
        joined = next;
      }
    }
    assertSame(holdOf(fixed).remote, holdOf(joined).remote);
    return new Beside(joined, fixed);
  }

  private DistributedLock side(LockOptions options, String owner) {
    return locks.readWriteLock("r", options).read().as(LockOwner.unique(owner));
  }
}
