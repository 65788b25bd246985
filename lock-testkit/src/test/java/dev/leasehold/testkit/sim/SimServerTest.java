package dev.leasehold.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimServerTest {
  private static final Duration TTL = Duration.ofMillis(100);
  private static final LeaseKey A = new LeaseKey("l", "a");
  private static final LeaseKey B = new LeaseKey("l", "b");

  private final SimWorld world = new SimWorld(1);
  private final SimServer server = new SimServer(world.node("server"));
  private final ScriptedFaults faults = new ScriptedFaults(FaultPlan.calm(ms(1)));
  private final SimLeaseStore store = server.connect(world.node("client"), faults);

  private static Duration ms(long n) {
    return Duration.ofMillis(n);
  }

  private AcquireResult acquire(LeaseKey key, IfHeld ifHeld) {
    return world.await(store.acquire(new AcquireRequest(key, TTL, ifHeld)));
  }

  private long granted(LeaseKey key) {
    Granted granted = (Granted) acquire(key, IfHeld.REFUSE);
    assertEquals(TTL, granted.ttl());
    return granted.fence().orElseThrow();
  }

  private RenewResult renew(LeaseKey key, Duration ttl) {
    return world.await(store.renew(List.of(new RenewRequest(key, ttl))).get(0));
  }

  private ReleaseResult release(LeaseKey key) {
    return world.await(store.release(key));
  }

  @Test
  void oneTokenHoldsItUntilItsTimeIsOver() {
    long fence = granted(A);
    assertEquals(2_000_000, world.nanos());
    Held held = (Held) acquire(B, IfHeld.REFUSE);
    assertEquals(ms(98), held.retryAfter());
    assertEquals(0, server.waiters("l"), "it did not wait");
    world.run(ms(97));
    assertTrue(granted(B) > fence);
  }

  @Test
  void inQuarantineItGrantsNothingAndDoesAllElse() {
    granted(A);
    server.quarantine(ms(50));
    LockStoreException refusal =
        assertThrows(LockStoreException.class, () -> acquire(A, IfHeld.REFUSE));
    assertEquals(LockStoreException.Kind.UNAVAILABLE, refusal.kind());
    assertEquals(RenewResult.RENEWED, renew(A, TTL));
    assertEquals(ReleaseResult.RELEASED, release(A));
    world.run(ms(50));
    granted(B);
  }

  @Test
  void onlyTheTokenRenewsAndReleases() {
    granted(A);
    assertEquals(RenewResult.NOT_OWNER, renew(B, TTL));
    assertEquals(ReleaseResult.NOT_OWNER, release(B));
    assertEquals("a", world.await(store.inspect("l")).map(StoredLease::token).orElseThrow());
    assertEquals(RenewResult.RENEWED, renew(A, TTL));
    assertEquals(ReleaseResult.RELEASED, release(A));
    assertEquals(ReleaseResult.NOT_OWNER, release(A));
    assertEquals(RenewResult.NOT_OWNER, renew(A, TTL));
    assertTrue(server.peek("l").isEmpty());
  }

  @Test
  void theSameTokenIsGrantedAgainWithItsFenceAndNothingIsShortened() {
    long fence = granted(A);
    renew(A, ms(1000));
    renew(A, ms(10));
    assertEquals(fence, granted(A));
    Duration left = server.peek("l").orElseThrow().remaining();
    assertTrue(left.compareTo(ms(990)) > 0, left::toString);
  }

  @Test
  void fencesGrowAlsoOverLostData() {
    long first = granted(A);
    release(A);
    long second = granted(A);
    server.loseData();
    long third = granted(B);
    assertTrue(first < second && second < third);
  }

  @Test
  void releaseWakesTheFirstThatListens() {
    SimLeaseStore other = server.connect(world.node("other"), faults);
    List<String> woken = new ArrayList<>();
    granted(A);
    acquire(B, IfHeld.ENQUEUE);
    LeaseKey c = new LeaseKey("l", "c");
    world.await(other.acquire(new AcquireRequest(c, TTL, IfHeld.ENQUEUE)));
    Watch watch = world.await(other.watch(c, () -> woken.add("c")));
    assertEquals(2, server.waiters("l"));
    assertEquals(ReleaseResult.RELEASED_AND_WOKE, release(A));
    assertEquals(0, server.waiters("l"), "the one that does not listen is passed over");
    world.run(ms(1));
    assertEquals(List.of("c"), woken);
    watch.close();
    assertFalse(server.isListenedTo("l"));
  }

  @Test
  void leavingPassesTheWakeUpOn() {
    List<String> woken = new ArrayList<>();
    granted(A);
    acquire(B, IfHeld.ENQUEUE);
    LeaseKey c = new LeaseKey("l", "c");
    acquire(c, IfHeld.ENQUEUE);
    world.await(store.watch(B, () -> woken.add("woken")));
    release(A);
    world.run(ms(5));
    assertEquals(1, woken.size());
    world.await(store.leave(B));
    world.run(ms(5));
    assertEquals(2, woken.size());
    assertEquals(0, server.waiters("l"));
  }

  @Test
  void messagesAreLostRepeatedAndFail() {
    faults.next(Operation.ACQUIRE, Fate.requestLost());
    assertThrows(SimFailure.class, () -> granted(A));
    assertTrue(server.peek("l").isEmpty());
    faults.next(Operation.ACQUIRE, Fate.replyLost(ms(1)));
    assertThrows(
        SimFailure.class,
        () -> world.await(store.acquire(new AcquireRequest(A, TTL, IfHeld.REFUSE)), ms(50)));
    assertTrue(server.peek("l").isPresent());
    long before = server.operations();
    faults.next(Operation.RELEASE, Fate.repeated(ms(1), ms(9), ms(1)));
    assertEquals(ReleaseResult.RELEASED, release(A));
    world.run(ms(20));
    assertEquals(before + 2, server.operations());
    faults.next(Operation.ACQUIRE, Fate.cutAfter(ms(1), ms(3)));
    assertThrows(LockStoreException.class, () -> granted(A));
    assertTrue(server.peek("l").isPresent());
    assertEquals(4, store.sent(Operation.ACQUIRE) + store.sent(Operation.RELEASE));
  }

  @Test
  void aCrashedServerRefusesAndReconnectsWhatListened() {
    List<String> woken = new ArrayList<>();
    granted(A);
    world.await(store.watch(B, () -> woken.add("woken")));
    server.crash();
    assertThrows(LockStoreException.class, () -> granted(B));
    server.restart(SimServer.Data.KEPT);
    world.run(ms(60));
    assertEquals(1, woken.size());
    assertTrue(server.isListenedTo("l"));
    assertTrue(server.peek("l").isPresent());
    server.crash();
    server.restart(SimServer.Data.LOST);
    assertTrue(server.peek("l").isEmpty());
  }

  @Test
  void aPausedServerAnswersLate() {
    server.node().pause(ms(500));
    granted(A);
    assertEquals(501_000_000, world.nanos());
  }
}
