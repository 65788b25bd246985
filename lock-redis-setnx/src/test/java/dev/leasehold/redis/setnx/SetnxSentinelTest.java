package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.SentinelCluster;
import dev.leasehold.testkit.server.ServerOptions;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.SentineledConnectionProvider;

@DisplayName("A primary that Sentinels name, and another one after a failover")
class SetnxSentinelTest {
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static SentinelCluster servers;

  @BeforeAll
  static void start() {
    servers = SentinelCluster.start(RedisServers.kind(), 2, 3, ServerOptions.defaults());
  }

  @AfterAll
  static void stop() {
    servers.close();
  }

  private static String uri() {
    return servers.sentinels().stream()
        .map(s -> s.host() + ":" + s.port())
        .collect(Collectors.joining(",", "redis-sentinel://", "#" + servers.name()));
  }

  @Test
  @DisplayName("Calls and wake-ups follow the primary, moved or killed, of all kinds")
  void followsThePrimary() throws Exception {
    follows("moved", servers::switchOver);
    follows("killed", servers::failOver);
    kinds();
  }

  /** On the last primary. */
  private static void kinds() throws Exception {
    KindsWork.on(
        Map.of("lock.redis.uri", uri()),
        List.of("kinds"),
        key -> (Long) servers.primary().call("ZCARD", key).orElseThrow());
  }

  @Test
  @DisplayName("An application's client is used, wakes, and is not closed")
  void handedIn() {
    JedisClientConfig plain = DefaultJedisClientConfig.builder().build();
    SentineledConnectionProvider sentinels =
        new SentineledConnectionProvider(
            servers.name(),
            plain,
            servers.sentinels().stream()
                .map(s -> new HostAndPort(s.host(), s.port()))
                .collect(Collectors.toSet()),
            plain);
    try (UnifiedJedis client = AnyJedis.on(sentinels)) {
      LeaseKey a = key("handed-in");
      try (Ops store = new Ops(RedisSetnxLocks.over(client).open())) {
        Await.until("a failover of another test is over", () -> takes(store, a));
        Await.value(store.store().watch(key("handed-in"), () -> {})).close();
        assertEquals(ReleaseResult.RELEASED, store.release(a));
      }
      assertEquals("PONG", client.ping());
    }
  }

  private static boolean takes(Ops store, LeaseKey key) {
    try {
      return store.takes(key);
    } catch (LockStoreException notYet) {
      return false;
    }
  }

  /** Sentinels end a server's connections when they have made it a replica. */
  private static boolean has(RedisServer replica, String lock) {
    try {
      return replica.call("GET", lock).isPresent();
    } catch (UncheckedIOException ended) {
      return false;
    }
  }

  private static void follows(String name, Runnable change) {
    LeaseKey a = key(name);
    LeaseKey b = key(name);
    String lock = "lh:{" + name + "}";
    try (Ops store = Ops.open(uri())) {
      Granted first = (Granted) store.acquire(a, Duration.ofMinutes(5));
      AtomicInteger woken = new AtomicInteger();
      Await.value(store.store().watch(b, woken::incrementAndGet));
      woken.set(0);
      for (RedisServer replica : servers.replicas()) {
        Await.until("a replica has it", () -> has(replica, lock));
      }
      change.run();
      long epoch = servers.epoch();
      Await.until(
          "the next primary renews it", () -> renews(store, a) && millisLeft(lock) > 9 * 60_000);
      // A break wakes all waiters, or the move to the new primary does.
      Await.until("the subscription is back too", () -> woken.get() > 0);
      Await.until(
          "it waits in the line of the new primary",
          () -> {
            Await.value(
                store
                    .store()
                    .acquire(new AcquireRequest(b, Duration.ofSeconds(10), IfHeld.ENQUEUE)));
            return servers.primary().call("ZCARD", lock + ":wait").equals(Optional.of(1L));
          });
      woken.set(0);
      MultiLockStore.Answer.Granted more =
          assertInstanceOf(
              MultiLockStore.Answer.Granted.class,
              store.acquireAll(Ops.TTL, List.of(key(name + "-2"), key(name + "-3")), a));
      assertTrue(more.fence().orElseThrow() > first.fence().orElseThrow());
      assertEquals(
          Optional.of(2L),
          servers.primary().call("EXISTS", "lh:{" + name + "-2}", "lh:{" + name + "-3}"),
          () -> "failovers until the change: " + epoch + ", now: " + servers.epoch());
      assertEquals(ReleaseResult.PASSED_ON, store.release(a));
      Await.until("it is woken", () -> woken.get() > 0);
      Granted next = assertInstanceOf(Granted.class, store.acquire(b));
      assertTrue(next.fence().orElseThrow() > first.fence().orElseThrow());
      store.release(b);
    }
  }

  private static long millisLeft(String lock) {
    return (Long) servers.primary().call("PTTL", lock).orElseThrow();
  }

  private static boolean renews(Ops store, LeaseKey key) {
    try {
      store.renew(key, TEN_MINUTES);
      return true;
    } catch (LockStoreException notYet) {
      return false;
    }
  }
}
