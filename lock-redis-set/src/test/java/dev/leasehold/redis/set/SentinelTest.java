package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore.Answer;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.SentinelCluster;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A primary that Sentinels name, and another one after a failover. */
class SentinelTest {
  /** Sentinels have to notice and agree first. */
  private static final Duration FAILOVER = Duration.ofMinutes(1);

  private static SentinelCluster servers;

  @BeforeAll
  static void start() {
    String embedded = ServerKind.EMBEDDED.required();
    servers = SentinelCluster.start(embedded, 2, 3, ServerOptions.defaults());
  }

  @AfterAll
  static void stop() {
    servers.close();
  }

  private static StoreOps open() {
    return StoreOps.open(Map.of("lock.redis.uri", address()));
  }

  private static String address() {
    return servers.sentinels().stream()
        .map(s -> s.host() + ":" + s.port())
        .collect(Collectors.joining(",", "redis-sentinel://", "#" + servers.name()));
  }

  @Test
  void thePrimaryIsFoundAndTheNextOneToo() {
    follows("moved", servers::switchOver);
    follows("killed", servers::failOver);
  }

  /** As if its host had lost its network: the connection to it stays open, and nothing comes. */
  @Test
  void aPrimaryThatHangsIsLeft() {
    LockSettings settings =
        LockSettings.of(Map.of("lock.redis.uri", address(), "lock.command-timeout", "500ms"));
    RedisServer hung = servers.primary();
    try (LockManager manager = LockManager.open(settings)) {
      manager.lock("before").tryAcquire().orElseThrow();
      hung.pause();
      Await.until("another primary", FAILOVER, () -> isOtherThan(hung));
      Await.until("a lock is had there", FAILOVER, () -> isTaken(manager.lock("after")));
      assertTrue(servers.primary().call("GET", "lh:{after}").isPresent());
    } finally {
      hung.resume();
    }
  }

  private static boolean isOtherThan(RedisServer before) {
    try {
      return servers.primary() != before;
    } catch (IllegalStateException notAgreed) {
      return false;
    }
  }

  private static boolean isTaken(DistributedLock lock) {
    try {
      return lock.tryAcquire().isPresent();
    } catch (LockStoreException notYet) {
      return false;
    }
  }

  private static void follows(String name, Runnable change) {
    LeaseKey a = new LeaseKey(name, "a:1");
    LeaseKey b = new LeaseKey(name, "b:2");
    Optional<Object> tokenOfA = Optional.of("a:1");
    String lock = "lh:{" + name + "}";
    try (StoreOps store = open();
        StoreOps other = open()) {
      KindsOnNodes.by(store, other, name + "-kinds").allWork();
      Granted first = (Granted) store.acquire(a, Duration.ofMinutes(5), IfHeld.REFUSE);
      AtomicInteger woken = new AtomicInteger();
      store.watch(b, woken::incrementAndGet);
      woken.set(0);
      AtomicInteger otherIsBack = new AtomicInteger();
      other.watch(b, otherIsBack::incrementAndGet);
      otherIsBack.set(0);
      assertEquals(tokenOfA, servers.primary().call("GET", lock));
      for (RedisServer replica : servers.replicas()) {
        Await.until("the replica has the lock", () -> replica.call("GET", lock).equals(tokenOfA));
      }
      long ofBoth = together(store, name + "-1", name + "-2");
      change.run();
      // Where the next primary is, however long the one before goes on answering.
      Await.until(
          "the lease is renewed at the new primary",
          FAILOVER,
          () -> renews(store, a) && minutesLeft(lock) >= 9);
      assertEquals(tokenOfA, servers.primary().call("GET", lock));
      Await.until("the subscription is back", FAILOVER, () -> woken.get() > 0);
      store.acquire(b, StoreOps.TTL, IfHeld.ENQUEUE);
      Await.until(
          "it stands in line there",
          FAILOVER,
          () -> servers.primary().call("ZCARD", lock + ":wait").equals(Optional.of(1L)));
      woken.set(0);
      assertEquals(ReleaseResult.PASSED_ON, store.release(a));
      Await.until("it is woken", FAILOVER, () -> woken.get() > 0);
      Granted next = assertInstanceOf(Granted.class, store.acquire(b));
      assertTrue(next.fence().orElseThrow() > first.fence().orElseThrow());
      assertTrue(together(store, name + "-2", name + "-1") > ofBoth);
      Await.until("the other store follows, too", FAILOVER, () -> renews(other, b));
      Await.until("its subscription, too", FAILOVER, () -> otherIsBack.get() > 0);
      KindsOnNodes.by(store, other, name + "-kinds-2").allWork();
    }
  }

  /** Takes both in one step, has a look, gives both back, and returns their fence. */
  private static long together(StoreOps store, String one, String other) {
    List<LeaseKey> keys = List.of(new LeaseKey(one, "c:1"), new LeaseKey(other, "c:2"));
    Answer answer = store.acquireAll(StoreOps.TTL, keys);
    for (LeaseKey key : keys) {
      assertEquals(
          Optional.of(key.token()), servers.primary().call("GET", "lh:{" + key.name() + "}"));
      assertEquals(ReleaseResult.RELEASED, store.release(key));
    }
    return ((Answer.Granted) answer).fence().orElseThrow();
  }

  private static long minutesLeft(String lock) {
    Object millis = servers.primary().call("PTTL", lock).orElseThrow();
    return Duration.ofMillis((Long) millis).toMinutes();
  }

  private static boolean renews(StoreOps store, LeaseKey key) {
    try {
      store.renew(key, Duration.ofMinutes(10));
      return true;
    } catch (LockStoreException notYet) {
      return false;
    }
  }
}
