package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("lock.redis.fair: a lock goes to the first to arrive")
class FairTest {
  private static final LeaseKey A = new LeaseKey("x", "a1");
  private static final LeaseKey B = new LeaseKey("x", "b2");
  private static final LeaseKey C = new LeaseKey("x", "c3");
  private static final LeaseKey D = new LeaseKey("x", "d4");
  private static final LeaseKey E = new LeaseKey("x", "e5");
  private static final LeaseKey F = new LeaseKey("x", "f6");
  private static final int CHANCES = 20;
  private static TestServer server;

  private final Map<LeaseKey, AtomicInteger> told = new HashMap<>();
  private final List<Watch> watches = new ArrayList<>();
  private StoreOps store;
  private StoreOps other;

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
    store = StoreOps.open(settings("true"));
    other = StoreOps.open(settings("true"));
  }

  @AfterEach
  void close() {
    other.close();
    store.close();
  }

  private static Map<String, String> settings(String fair) {
    return Map.of("lock.redis.uri", server.uri(), "lock.redis.fair", fair);
  }

  /** A round is over without a result where this machine stood still for half a second in it. */
  private void inTime(BooleanSupplier round) {
    for (int i = 0; i < CHANCES; i++) {
      server.admin().flushall();
      boolean done = round.getAsBoolean();
      watches.forEach(Watch::close);
      watches.clear();
      if (done) {
        return;
      }
    }
    fail("in none of " + CHANCES + " rounds was this machine fast enough");
  }

  /** What is kept for a woken waiter is kept for long enough, if it is kept still. */
  private static boolean isKept() {
    return server.admin().pexpire("lh:{x}", 60_000);
  }

  private void listens(StoreOps where, LeaseKey who) {
    AtomicInteger count = new AtomicInteger();
    told.put(who, count);
    watches.add(where.watch(who, count::incrementAndGet));
    count.set(0); // the first of a store is woken when listening begins
  }

  private void waits(StoreOps where, LeaseKey who) {
    listens(where, who);
    assertInstanceOf(Held.class, where.acquire(who, StoreOps.TTL, IfHeld.ENQUEUE));
  }

  private static void asksAgain(StoreOps where, LeaseKey who) {
    Duration waited = Duration.ofSeconds(5);
    AcquireRequest request =
        new AcquireRequest(who, StoreOps.TTL, IfHeld.ENQUEUE).repeated().withWaited(waited);
    assertInstanceOf(Held.class, Await.value(where.store().acquire(request)));
  }

  private static boolean takes(StoreOps where, LeaseKey who) {
    return where.acquire(who, StoreOps.TTL, IfHeld.ENQUEUE) instanceof Granted;
  }

  private void awaitTold(LeaseKey who) {
    Await.until(who.token() + " is told", () -> told.get(who).get() > 0);
  }

  @Test
  @DisplayName("A waiter that finds it free leaves it to the first in line, which is notified")
  void leavesIt() {
    inTime(
        () -> {
          store.fence(A);
          waits(other, B);
          server.admin().del("lh:{x}"); // as a lease that ends: no waiter is woken
          assertInstanceOf(Held.class, store.acquire(C, StoreOps.TTL, IfHeld.REFUSE));
          if (!isKept()) {
            return false;
          }
          awaitTold(B);
          assertFalse(takes(store, D), "it is kept for the first");
          assertTrue(takes(other, B));
          return true;
        });
  }

  @Test
  @DisplayName("With an empty queue, or as its first, it acquires")
  void isTaken() {
    server.admin().flushall();
    store.fence(A);
    waits(store, B);
    waits(other, C);
    server.admin().del("lh:{x}");
    assertTrue(takes(store, B));
    assertEquals(1, server.admin().zcard("lh:{x}:wait"), "it is off the line");
  }

  @Test
  @DisplayName(
      "Of a store's waiters only the one whose turn it is is notified, and the first of"
          + " the next store")
  void toldByToken() {
    server.admin().flushall();
    store.fence(A);
    waits(other, B);
    waits(other, C);
    waits(store, D);
    listens(other, E);
    assertEquals(ReleaseResult.PASSED_ON, store.release(A));
    awaitTold(B);
    awaitTold(D); // it looks again when B's time is up
    server.admin().pubsubChannels("lh:wake:*").forEach(to -> server.admin().publish(to, "x e5"));
    awaitTold(E); // and with it all that came before on that channel
    assertEquals(0, told.get(C).get(), "C waits behind B, and would go with it");
  }

  @Test
  @DisplayName("An unresponsive waiter loses its turn after half a second, and keeps its place")
  void missesItsTurn() {
    inTime(
        () -> {
          store.fence(A);
          waits(other, B);
          waits(store, C);
          store.release(A);
          awaitTold(C);
          Await.until("the time is up", () -> takes(store, C));
          waits(store, D);
          asksAgain(other, B); // after D, but it came before
          told.get(B).set(0);
          store.release(C);
          if (!isKept()) {
            return false;
          }
          awaitTold(B);
          assertFalse(takes(store, D), "it is kept for the one that came first");
          assertTrue(takes(other, B));
          return true;
        });
  }

  @Test
  @DisplayName(
      "A process that does not respond is passed over and notified, wherever its waiters"
          + " are in the queue")
  void missesAllItsTurns() {
    inTime(
        () -> {
          store.fence(A);
          waits(other, B);
          waits(other, C);
          waits(store, D);
          waits(other, E);
          store.release(A); // to B
          server.admin().del("lh:{x}"); // as when its time is up
          assertTrue(takes(store, D), "C is not waited for, too");
          awaitTold(C);
          awaitTold(E); // and comes back to its place, if it lives
          asksAgain(other, E);
          waits(store, F);
          store.release(D);
          if (!isKept()) {
            return false;
          }
          assertFalse(takes(store, F), "it is kept for the one that came first");
          assertTrue(takes(other, E));
          return true;
        });
  }

  @Test
  @DisplayName(
      "A process that asks is waited for, though another of its waiters let its turn lapse")
  void asks() {
    inTime(
        () -> {
          store.fence(A);
          waits(other, B);
          waits(other, C);
          waits(other, D);
          store.release(A); // to B
          server.admin().del("lh:{x}");
          assertInstanceOf(Held.class, other.acquire(D, StoreOps.TTL, IfHeld.ENQUEUE));
          if (!isKept()) {
            return false;
          }
          assertTrue(takes(other, C));
          return true;
        });
  }

  @Test
  @DisplayName("Beside a non-fair waiter, each is notified in the way it listens")
  void mixed() {
    try (StoreOps unfair = StoreOps.open(settings("false"))) {
      inTime(
          () -> {
            unfair.fence(A);
            waits(store, B);
            waits(unfair, C);
            unfair.release(A);
            if (!isKept()) {
              return false;
            }
            awaitTold(B);
            assertTrue(takes(store, B));
            store.release(B);
            if (!isKept()) {
              return false;
            }
            awaitTold(C);
            assertTrue(takes(unfair, C));
            return true;
          });
    }
  }

  @Test
  @DisplayName("One that is not fair and gives several back at once leaves it to the first as well")
  void severalAtOnce() {
    try (StoreOps unfair = StoreOps.open(settings("false"))) {
      inTime(
          () -> {
            unfair.fence(A);
            waits(store, B);
            assertEquals(List.of(ReleaseResult.PASSED_ON), unfair.releaseAll(A));
            if (!isKept()) {
              return false;
            }
            awaitTold(B);
            assertTrue(takes(store, B));
            return true;
          });
    }
  }

  @Test
  @DisplayName("It is promised; several at once go one after another")
  void promised() {
    assertTrue(store.store().guarantees().contains(Guarantee.FAIR));
    assertFalse(store.store().guarantees().contains(Guarantee.TOGETHER));
  }

  @Test
  @DisplayName("Plain mode has no line")
  void plain() {
    Map<String, String> wrong = new HashMap<>(settings("true"));
    wrong.put("lock.redis-set.mode", "plain");
    LockConfigurationException refused =
        assertThrows(LockConfigurationException.class, () -> StoreOps.open(wrong));
    assertTrue(
        refused.getMessage().contains("lock.redis.fair = true needs lock.redis-set.mode = fenced"),
        refused.getMessage());
  }
}
