package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.TTL;
import static dev.leasehold.redis.setnx.Ops.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.setnx.JedisConnections.Limits;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisCluster;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.RespConnection.ServerError;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.util.JedisClusterCRC16;

/** The last tests kill and pause a node. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@DisplayName("A cluster: keys of a name in one slot, wake-ups, and slots that move")
class SetnxClusterTest {
  private static final int LOCKS = 30;
  private static RedisCluster cluster;
  private Ops store;
  private Ops other;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(RedisServers.kind(), 3, 1, ServerOptions.defaults());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void open() {
    RedisServer seed = cluster.primaries().get(0);
    String uri = "redis://" + seed.host() + ":" + seed.port();
    store = Ops.open(uri, "lock.redis.cluster", "true");
    other = Ops.open(uri, "lock.redis.cluster", "true");
  }

  @AfterEach
  void close() {
    store.close();
    other.close();
  }

  @Test
  @Order(1)
  @DisplayName("Every operation works on every node, and a batch of renewals goes to all")
  void everyOperation() {
    List<LeaseKey> held = new ArrayList<>();
    for (int i = 0; i < LOCKS; i++) {
      LeaseKey mine = key("every {" + i + "}");
      assertTrue(store.takes(mine));
      assertInstanceOf(Held.class, other.acquire(key(mine.name())));
      held.add(mine);
    }
    List<CompletionStage<RenewResult>> renewed =
        store.store().renew(held.stream().map(k -> new RenewRequest(k, TTL)).toList());
    renewed.forEach(one -> assertEquals(RenewResult.RENEWED, Await.value(one)));
    for (LeaseKey mine : held) {
      assertEquals(mine.token(), other.inspect(mine.name()).orElseThrow().token());
      assertEquals(ReleaseResult.RELEASED, store.release(mine));
    }
  }

  @Test
  @Order(1)
  @DisplayName("A waiter far back in line learns how many are ahead")
  void toldItsPlace() {
    LeaseKey holder = key("far-back");
    assertTrue(store.takes(holder));
    for (int i = 0; i <= 10; i++) {
      AcquireRequest waits = new AcquireRequest(key("far-back"), TTL, IfHeld.ENQUEUE);
      Held held = assertInstanceOf(Held.class, Await.value(other.store().acquire(waits)));
      assertEquals(i < 10 ? 0 : 10, held.ahead());
    }
    store.release(holder);
  }

  @Test
  @Order(1)
  @DisplayName("A release wakes a waiter of another store, wherever the lock is")
  void wakesEverywhere() {
    for (int i = 0; i < 6; i++) {
      String name = "wakes-" + i;
      LeaseKey holder = key(name);
      assertTrue(store.takes(holder));
      AtomicInteger woken = new AtomicInteger();
      Watch watch = Await.value(other.store().watch(key(name), woken::incrementAndGet));
      LeaseKey waiter = key(name);
      Await.value(other.store().acquire(new AcquireRequest(waiter, TTL, IfHeld.ENQUEUE)));
      woken.set(0);
      assertEquals(ReleaseResult.PASSED_ON, store.release(holder));
      Await.until("it is woken", () -> woken.get() > 0);
      watch.close();
      Await.value(other.store().leave(waiter));
    }
  }

  @Test
  @Order(1)
  @DisplayName("Several names are one step where they share a slot, and else taken one by one")
  void several() throws Exception {
    MultiLockStore together = (MultiLockStore) store.store();
    assertFalse(together.guarantees().contains(Guarantee.TOGETHER), "not for any names");
    int slot = JedisClusterCRC16.getSlot("lh:{several}");
    String inSlot =
        Stream.iterate(0, i -> i + 1)
            .map(i -> "several" + i)
            .filter(n -> JedisClusterCRC16.getSlot(n) == slot)
            .findFirst()
            .orElseThrow();
    assertTrue(together.takesTogether(List.of("several", inSlot)));
    List<String> apart = List.of("apart-1", "apart-2", "apart-3");
    assertFalse(together.takesTogether(apart));
    RedisServer seed = cluster.primaries().get(0);
    LockSettings settings =
        LockSettings.of(
            Map.of(
                "lock.backend",
                "redis-setnx",
                "lock.redis.uri",
                "redis://" + seed.host() + ":" + seed.port(),
                "lock.redis.cluster",
                "true"));
    try (LockManager locks = LockManager.open(settings)) {
      Lease lease = locks.all("several", inSlot).acquire();
      assertTrue(lease.fencingToken() > 0);
      assertTrue(other.inspect(inSlot).isPresent());
      lease.release();
      Lease each = locks.all(apart.toArray(String[]::new)).acquire();
      assertThrows(UnsupportedOperationException.class, each::fencingToken);
      assertTrue(apart.stream().allMatch(name -> other.inspect(name).isPresent()));
      each.release();
      assertTrue(apart.stream().noneMatch(name -> other.inspect(name).isPresent()));
    }
  }

  @Test
  @Order(1)
  @DisplayName("Kinds work on every node, and waiters are woken")
  void kinds() throws Exception {
    RedisServer seed = cluster.primaries().get(0);
    String uri = "redis://" + seed.host() + ":" + seed.port();
    KindsWork.on(
        Map.of("lock.redis.uri", uri, "lock.redis.cluster", "true"),
        List.of("kinds-1", "kinds-2", "kinds-3"), // one on each node
        SetnxClusterTest::waiting);
  }

  /** In the line of a key, wherever it is. */
  private static long waiting(String key) {
    long all = 0;
    for (RedisServer node : cluster.primaries()) {
      try {
        all += (Long) node.call("ZCARD", key).orElseThrow();
      } catch (ServerError moved) { // it is another node's
        continue;
      }
    }
    return all;
  }

  @Test
  @Order(2)
  @DisplayName("A slot that is on its way is followed: ASK, then MOVED")
  void slotsThatMove() {
    String name = "moves";
    String lock = "lh:{" + name + "}";
    LeaseKey mine = key(name);
    assertTrue(store.takes(mine));
    assertTrue(other.inspect(name).isPresent());
    RedisServer from = cluster.owner(lock);
    RedisServer to =
        cluster.primaries().stream().filter(n -> n.port() != from.port()).findFirst().orElseThrow();
    String slot = Integer.toString(cluster.slot(lock));
    String fromId = from.call("CLUSTER", "MYID").orElseThrow().toString();
    String toId = to.call("CLUSTER", "MYID").orElseThrow().toString();
    to.call("CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
    from.call("CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
    from.call("MIGRATE", to.host(), "" + to.port(), "", "0", "5000", "KEYS", lock, lock + ":fence");
    // All keys have gone, the slot has not: the old node answers ASK.
    assertEquals(RenewResult.RENEWED, store.renew(mine, TTL.multipliedBy(2)));
    assertEquals(mine.token(), store.inspect(name).orElseThrow().token());
    for (RedisServer node : cluster.primaries()) {
      node.call("CLUSTER", "SETSLOT", slot, "NODE", toId);
    }
    // Now MOVED.
    assertEquals(RenewResult.RENEWED, store.renew(mine, TTL.multipliedBy(3)));
    assertInstanceOf(Held.class, other.acquire(key(name)));
    assertEquals(ReleaseResult.RELEASED, store.release(mine));
    assertTrue(other.takes(key(name)));
  }

  @ParameterizedTest
  @Order(2)
  @ValueSource(strings = {"MOVED", "ASK"})
  @DisplayName("A redirect to a node without a connection: the failure names that node alone")
  void redirectedToUnknownNode(String kind) {
    RedisServer seed = cluster.primaries().get(0);
    HostAndPort target = new HostAndPort("127.0.0.1", 7);
    JedisRedirectionException redirect =
        kind.equals("ASK")
            ? new JedisAskDataException("ASK", target, 1)
            : new JedisMovedDataException("MOVED", target, 1);
    ClusterConnectionProvider nodes =
        new ClusterConnectionProvider(
            Set.of(new HostAndPort(seed.host(), seed.port())),
            DefaultJedisClientConfig.builder().build());
    Limits limits = new Limits(4, Duration.ofSeconds(2));
    try (JedisRedis redis = new JedisShards(nodes, limits, nodes::close)) {
      byte[] lock = {'x'};
      LockStoreException e =
          assertThrows(
              LockStoreException.class,
              () ->
                  redis.talk(
                      "release",
                      "x",
                      lock,
                      conversation -> {
                        throw redirect;
                      }));
      assertEquals(
          "Could not release lock 'x': not connected to the cluster's node " + target,
          e.getMessage());
    }
  }

  @Test
  @Order(2)
  @DisplayName("An application's client is used, and not closed")
  void handedIn() {
    RedisServer seed = cluster.primaries().get(0);
    ClusterConnectionProvider nodes =
        new ClusterConnectionProvider(
            Set.of(new HostAndPort(seed.host(), seed.port())),
            DefaultJedisClientConfig.builder().build());
    try (UnifiedJedis client = AnyJedis.on(nodes)) {
      try (Ops own = new Ops(RedisSetnxLocks.over(client).open())) {
        LeaseKey mine = key("handed in");
        assertTrue(own.takes(mine));
        Await.value(own.store().watch(mine, () -> {})).close();
        assertEquals(ReleaseResult.RELEASED, own.release(mine));
      }
      assertTrue(nodes.getNodes().values().stream().allMatch(n -> n.getNumActive() == 0));
      try (Connection still = nodes.getConnection()) {
        assertTrue(still.ping(), "still open");
      }
    }
  }

  @Test
  @Order(3)
  @DisplayName("A failover is followed by calls and by wake-ups")
  void failover() {
    String name = "failover";
    String lock = "lh:{" + name + "}";
    LeaseKey holder = key(name);
    assertTrue(store.acquire(holder, TTL.multipliedBy(60)).toString().contains("Granted"));
    AtomicInteger woken = new AtomicInteger();
    LeaseKey waiter = key(name);
    Await.value(other.store().watch(waiter, woken::incrementAndGet));
    RedisServer primary = cluster.owner(lock);
    Await.until("a replica has it", () -> onReplica(lock));
    cluster.failOver(primary);
    Await.until("the new primary renews it", () -> renews(holder));
    Await.until(
        "it waits there",
        () -> {
          try {
            Await.value(other.store().acquire(new AcquireRequest(waiter, TTL, IfHeld.ENQUEUE)));
            return true;
          } catch (LockStoreException stale) {
            return false; // a connection to the node that is gone
          }
        });
    Await.until("the listener is back, on another node if need be", () -> isHeard(name));
    woken.set(0);
    assertEquals(ReleaseResult.PASSED_ON, store.release(holder));
    Await.until("it is woken", () -> woken.get() > 0);
  }

  @Test
  @Order(4)
  @DisplayName("A call that times out names the node")
  void silence() {
    LeaseKey mine = key("silence");
    RedisServer node = cluster.owner("lh:{silence}");
    assertTrue(store.takes(mine));
    node.pause();
    try {
      LockStoreException late = assertThrows(LockStoreException.class, () -> store.release(mine));
      assertEquals(LockStoreException.Kind.TIMED_OUT, late.kind());
      String where = "Could not release lock 'silence' on Redis at 127.0.0.1:" + node.port() + ": ";
      assertTrue(late.getMessage().startsWith(where), late::toString);
    } finally {
      node.resume();
    }
  }

  private static boolean onReplica(String lock) {
    return cluster.replicas().stream()
        .anyMatch(
            replica -> {
              try (var connection = replica.connect()) {
                connection.call("READONLY");
                return connection.call("GET", lock).isPresent();
              } catch (RuntimeException notItsSlot) {
                return false;
              }
            });
  }

  /** Each release wakes a waiter, so a lock of its own shows whether the message arrives. */
  private boolean isHeard(String beside) {
    LeaseKey holder = key("heard-" + beside);
    LeaseKey waiter = key(holder.name());
    AtomicInteger woken = new AtomicInteger();
    try {
      Watch watch = Await.value(other.store().watch(waiter, woken::incrementAndGet));
      store.takes(holder);
      Await.value(other.store().acquire(new AcquireRequest(waiter, TTL, IfHeld.ENQUEUE)));
      woken.set(0);
      store.release(holder);
      Await.pass(Duration.ofMillis(50));
      Await.value(other.store().leave(waiter));
      watch.close();
      return woken.get() > 0;
    } catch (LockStoreException notYet) {
      return false;
    }
  }

  private boolean renews(LeaseKey key) {
    try {
      return store.renew(key, TTL.multipliedBy(120)) == RenewResult.RENEWED;
    } catch (LockStoreException notYet) {
      return false;
    }
  }
}
