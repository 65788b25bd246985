package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A lock that is released is kept for the waiter that was woken")
class PassingOnTest {
  private static final LeaseKey A = new LeaseKey("x", "a:1");
  private static final LeaseKey B = new LeaseKey("x", "b:2");
  private static final LeaseKey C = new LeaseKey("x", "c:3");
  private static final Duration MOST = Duration.ofMillis(500);
  private static TestServer server;

  private final AtomicInteger woken = new AtomicInteger();
  private StoreOps store;
  private StoreOps other;
  private Watch watch;

  @BeforeAll
  static void start() {
    server = ServerKind.EMBEDDED.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() {
    server.admin().flushall();
    store = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
    other = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
    watch = other.watch(B, woken::incrementAndGet);
  }

  @AfterEach
  void close() {
    watch.close();
    other.close();
    store.close();
  }

  private long passedFromAToB() {
    long fence = store.fence(A);
    assertInstanceOf(Held.class, other.acquire(B, StoreOps.TTL, IfHeld.ENQUEUE));
    assertEquals(ReleaseResult.PASSED_ON, store.release(A));
    return fence;
  }

  private void keptLongEnough() {
    // Longer than a busy machine stands still.
    assertTrue(server.admin().pexpire("lh:{x}", 60_000));
  }

  @Test
  @DisplayName("for all others it belongs to another owner, for a moment")
  void refusesOthers() {
    passedFromAToB();
    long left = server.admin().pttl("lh:{x}");
    assertTrue(left > 0 && left <= MOST.toMillis(), () -> "kept for " + left + " ms");
    keptLongEnough();
    assertInstanceOf(Held.class, store.acquire(C));
    assertInstanceOf(Held.class, store.acquire(A));
    assertEquals(RenewResult.NOT_OWNER, store.renew(C, StoreOps.TTL));
    assertEquals(ReleaseResult.NOT_OWNER, store.release(C));
    assertEquals(ReleaseResult.NOT_OWNER, store.release(A), "as sent again by A's client");
    assertEquals("+b:2", server.admin().get("lh:{x}"));
  }

  @Test
  @DisplayName("without a holder: it can't be renewed, and inspection finds it free")
  void isNoLease() {
    passedFromAToB();
    keptLongEnough();
    assertEquals(RenewResult.NOT_OWNER, other.renew(B, StoreOps.TTL));
    assertEquals(Optional.empty(), store.inspect("x"));
  }

  @Test
  @DisplayName("the one that was woken takes it with its whole lease and a larger fence")
  void isTaken() {
    long before = passedFromAToB();
    keptLongEnough();
    long fence = other.fence(B);
    assertTrue(fence > before);
    assertTrue(server.admin().pttl("lh:{x}") <= StoreOps.TTL.toMillis());
    assertEquals("b:2", other.inspect("x").orElseThrow().token());
    assertEquals(fence, other.fence(B), "asked again, its answer was lost: the same fence");
  }

  @Test
  @DisplayName("without a waiter: it is free")
  void lapses() {
    passedFromAToB();
    Await.until("the lock is free", () -> store.acquire(C) instanceof Granted);
  }

  @Test
  @DisplayName("if the one that was woken leaves, the next is woken")
  void leaverPassesItOn() {
    passedFromAToB();
    keptLongEnough();
    assertInstanceOf(Held.class, other.acquire(C, StoreOps.TTL, IfHeld.ENQUEUE));
    other.leave(B);
    assertEquals("+c:3", server.admin().get("lh:{x}"));
    other.leave(C);
    assertEquals(0, server.admin().exists("lh:{x}", "lh:{x}:wait"));
  }

  @Test
  @DisplayName("a release of unknown outcome by the one that was woken passes it on")
  void unknownOutcome() {
    passedFromAToB();
    keptLongEnough();
    assertInstanceOf(Held.class, other.acquire(C, StoreOps.TTL, IfHeld.ENQUEUE));
    assertEquals(ReleaseResult.PASSED_ON, other.release(B));
    assertEquals("+c:3", server.admin().get("lh:{x}"));
  }

  @Test
  @DisplayName("leaving a queue while another is awaited changes nothing")
  void othersLeave() {
    passedFromAToB();
    keptLongEnough();
    assertInstanceOf(Held.class, other.acquire(C, StoreOps.TTL, IfHeld.ENQUEUE));
    other.leave(C);
    assertEquals("+b:2", server.admin().get("lh:{x}"));
  }

  @Test
  @DisplayName("a place in the line goes by how long one has waited")
  void placeByTime() {
    store.acquire(A);
    assertInstanceOf(Held.class, other.acquire(C, StoreOps.TTL, IfHeld.ENQUEUE));
    AcquireRequest since =
        new AcquireRequest(B, StoreOps.TTL, IfHeld.ENQUEUE)
            .repeated()
            .withWaited(Duration.ofMinutes(1));
    assertInstanceOf(Held.class, Await.value(other.store().acquire(since)));
    assertEquals(ReleaseResult.PASSED_ON, store.release(A));
    assertEquals("+b:2", server.admin().get("lh:{x}"));
  }
}
