package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/** The line of a semaphore at the store, looked at from the server's side. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PermitLineContract {
  static final Duration TTL = Duration.ofSeconds(10);
  static final Duration LONG = Duration.ofMinutes(10);
  static final String HOLDERS = "lh:{x}:permits";

  TestServer server;
  StoreOps ops;
  StoreOps otherOps;
  PermitStore store;
  PermitStore other;
  final List<Watch> watches = new ArrayList<>();
  final AtomicInteger woken = new AtomicInteger();

  @Parameter private ServerKind kind;

  @BeforeParameterizedClassInvocation
  void start() {
    server = kind.start();
    ops = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
    otherOps = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
    store = (PermitStore) ops.store();
    other = (PermitStore) otherOps.store();
  }

  @AfterParameterizedClassInvocation
  void stop() {
    if (server == null) {
      return; // not run: no such server here
    }
    ops.close();
    otherOps.close();
    server.close();
    server = null;
  }

  @BeforeEach
  void empty() {
    server.admin().flushall();
  }

  @AfterEach
  void end() {
    watches.forEach(Watch::close);
    watches.clear();
    woken.set(0);
  }

  static LeaseKey key(String secret) {
    return new LeaseKey("x", "t:" + secret);
  }

  AcquireResult ask(PermitStore at, String secret, int wanted, Duration ttl, IfHeld how) {
    AcquireRequest asks = new AcquireRequest(key(secret), ttl, how);
    return Await.value(
        at.permits(wanted, 3).acquire(how == IfHeld.ENQUEUE ? asks.repeated() : asks));
  }

  void granted(String secret, int wanted) {
    assertInstanceOf(Granted.class, ask(store, secret, wanted, TTL, IfHeld.REFUSE));
  }

  Held refused(String secret, int wanted) {
    return assertInstanceOf(Held.class, ask(store, secret, wanted, TTL, IfHeld.REFUSE));
  }

  /** One that listens, and stands in the line. */
  void waits(PermitStore at, String secret, int wanted) {
    if (watches.isEmpty()) {
      watches.add(Await.value(at.permits(wanted, 3).watch(key(secret), woken::incrementAndGet)));
      woken.set(0);
    }
    assertInstanceOf(Held.class, ask(at, secret, wanted, TTL, IfHeld.ENQUEUE));
  }

  ReleaseResult release(String secret) {
    return Await.value(store.permits(1, 3).release(key(secret)));
  }

  Permits count() {
    return Await.value(store.count("x"));
  }

  /** Ends a lease without waiting for it. */
  void expire(String secret, int permits) {
    for (int i = 1; i <= permits; i++) {
      server.admin().zadd(HOLDERS, 1, i + ":t:" + secret);
    }
  }

  long scripts() {
    String stats = server.admin().info("commandstats");
    java.util.regex.Matcher calls =
        java.util.regex.Pattern.compile("cmdstat_evalsha:calls=(\\d+)").matcher(stats);
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }

  @Test
  @DisplayName("as many are woken as fit, and the queue keeps its order")
  void wakes() {
    granted("a", 2);
    granted("b", 1);
    waits(other, "c", 1);
    waits(other, "d", 1);
    waits(other, "e", 1);
    assertEquals(ReleaseResult.PASSED_ON, release("a"));
    Await.until("two are woken", () -> woken.get() == 2);
    refused("f", 1); // what is kept is not free
    assertInstanceOf(Granted.class, ask(other, "c", 1, TTL, IfHeld.ENQUEUE));
    assertInstanceOf(Granted.class, ask(other, "d", 1, TTL, IfHeld.ENQUEUE));
    assertInstanceOf(Held.class, ask(other, "e", 1, TTL, IfHeld.ENQUEUE));
    assertEquals(2, woken.get());
  }

  @Test
  @DisplayName(
      "a waiter that wants more than is free is not overtaken, and freed permits"
          + " accumulate for it")
  void large() {
    granted("a", 1);
    granted("b", 1);
    waits(other, "c", 3);
    refused("d", 1);
    assertEquals(ReleaseResult.RELEASED, release("a"));
    refused("d", 1);
    assertEquals(ReleaseResult.PASSED_ON, release("b"));
    assertInstanceOf(Granted.class, ask(other, "c", 3, TTL, IfHeld.ENQUEUE));
    assertEquals(3, count().held());
  }

  @Test
  @DisplayName("a waiter that died wanting more than is free does not block others for long")
  void deadAtTheDoor() {
    granted("a", 1);
    waits(other, "c", 3);
    refused("d", 1);
    Await.until(
        "the dead one is out of the line",
        () -> ask(store, "d", 1, TTL, IfHeld.REFUSE) instanceof Granted);
  }

  /** Waiters for more than is free that ask every so often, and not once more. */
  private void died(int waiters, Duration asksWithin) {
    for (int i = 0; i < waiters; i++) {
      LeaseKey dead = key("dead" + i);
      AcquireRequest request =
          new AcquireRequest(dead, TTL, IfHeld.ENQUEUE).repeated().withAsksWithin(asksWithin);
      assertInstanceOf(Held.class, Await.value(other.permits(2, 3).acquire(request)));
    }
  }

  private List<String> line() {
    return server.admin().zrange(HOLDERS + ":wait", 0, -1);
  }

  @Test
  @DisplayName("dead waiters for several make room while others continue to ask")
  void deadInTheLine() {
    ask(store, "a", 2, LONG, IfHeld.REFUSE);
    died(4, Duration.ofMillis(1));
    Await.until(
        "only the one that asks is in line",
        () -> {
          assertInstanceOf(Held.class, ask(store, "b", 2, TTL, IfHeld.ENQUEUE));
          return line().size() == 1 && line().get(0).endsWith("t:b");
        });
  }

  @Test
  @DisplayName("one behind more dead than are looked at is woken")
  void behindManyDead() {
    ask(store, "a", 2, LONG, IfHeld.REFUSE);
    granted("b", 1);
    died(300, Duration.ofMillis(1));
    waits(store, "c", 1);
    Await.until(
        "it is woken",
        () -> {
          release("b");
          ask(store, "b", 1, TTL, IfHeld.REFUSE);
          return woken.get() == 1;
        });
    assertInstanceOf(Granted.class, ask(store, "c", 1, TTL, IfHeld.ENQUEUE));
  }

  @Test
  @DisplayName("the place of a client that sends no end has one, too")
  void placesOfOlderClients() {
    granted("a", 2);
    String old = "2 0123456789abcdef:t:old";
    server.admin().zadd(HOLDERS + ":wait", 1, old);
    assertInstanceOf(Held.class, ask(store, "b", 2, TTL, IfHeld.ENQUEUE));
    assertInstanceOf(Held.class, ask(store, "b", 2, TTL, IfHeld.ENQUEUE));
    assertTrue(line().contains(old), "it may be alive");
    assertTrue(server.admin().zscore(HOLDERS + ":ends", old) > 0, "and has an end");
    server.admin().zadd(HOLDERS + ":ends", 1, old);
    assertInstanceOf(Held.class, ask(store, "b", 2, TTL, IfHeld.ENQUEUE));
    assertEquals(1, line().size());
  }

  @Test
  @DisplayName("a leaving waiter passes its reservation on")
  void leaves() {
    granted("a", 3);
    waits(other, "b", 3);
    waits(other, "c", 1);
    assertEquals(ReleaseResult.PASSED_ON, release("a"));
    Await.until("the first is woken", () -> woken.get() == 1);
    Await.value(other.permits(3, 3).leave(key("b")));
    Await.until("the next is woken", () -> woken.get() == 2);
    assertInstanceOf(Granted.class, ask(other, "c", 1, TTL, IfHeld.ENQUEUE));
    assertEquals(1, count().held());
  }

  @Test
  @DisplayName("a permit that became free unnoticed goes to the queue first")
  void lineFirst() {
    granted("a", 3);
    waits(other, "b", 3);
    expire("a", 3);
    refused("c", 1);
    Await.until("the line is woken", () -> woken.get() == 1);
    assertInstanceOf(Granted.class, ask(other, "b", 3, TTL, IfHeld.ENQUEUE));
  }
}
