package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.quorum.ListedNode;
import dev.leasehold.lock.spi.quorum.SlotStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("One server as a node of a quorum, on Jedis")
class JedisNodeTest {
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final CommandMatch SCRIPT = CommandMatch.named("EVALSHA", "EVAL");

  private static RedisServer server;
  private static RespProxy proxy;
  private Ops node;

  @BeforeAll
  static void start() {
    server = RedisServers.start();
    proxy = RespProxy.inFrontOf(server);
  }

  @AfterAll
  static void stop() {
    proxy.close();
    server.close();
  }

  @BeforeEach
  void openNode() {
    server.call("FLUSHALL");
    node = open();
  }

  @AfterEach
  void closeNode() {
    node.close();
  }

  private static LockSettings settings(String... more) {
    String uri = "redis://" + proxy.host() + ":" + proxy.port();
    Map<String, String> all =
        new HashMap<>(Map.of("lock.redis.uri", uri, "lock.redis.connect-timeout", "20s"));
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return LockSettings.of(all);
  }

  private static Ops open(String... more) {
    return new Ops(new RedisSetnxBackend().openNode(settings(more), LONGEST));
  }

  /** It votes from now on. */
  private static void admit() {
    server.call("HSET", "lh:node", "run", server.runId(), "since", "0");
  }

  private String refusal() {
    return String.valueOf(
        assertThrows(LockStoreException.class, () -> node.takes(key("refused"))).getMessage());
  }

  @Test
  @DisplayName("A new server does not vote; nor does one whose data is of another run, or is gone")
  void quarantine() {
    assertEquals(server.runId(), ((ListedNode) node.store()).serverId());
    assertTrue(refusal().contains("votes in"), this::refusal);
    admit();
    assertTrue(node.takes(key("new")));

    // As after a restart with data that is a second old.
    server.call("HSET", "lh:node", "run", "the one before");
    assertTrue(refusal().contains("unknown run"));
    awaitNoted();
    assertTrue(refusal().contains("votes in"), this::refusal);

    admit();
    assertTrue(node.takes(key("old")));
    server.call("FLUSHALL");
    assertTrue(refusal().contains("unknown run"));
    awaitNoted();
  }

  private static void awaitNoted() {
    Await.until(
        "it has noted its run",
        () -> server.call("HGET", "lh:node", "run").equals(Optional.of(server.runId())));
  }

  @Test
  @DisplayName("It registers again by itself, before half of the longest lease has passed")
  void again() {
    Duration brief = Duration.ofSeconds(3);
    try (Ops other = new Ops(new RedisSetnxBackend().openNode(settings(), brief))) {
      server.call("HSET", "lh:node", "run", "the one before");
      awaitNoted(); // though nothing was asked for
      assertEquals(server.runId(), ((ListedNode) other.store()).serverId());
    }
  }

  @Test
  @DisplayName("Its node has an id once it votes, which the client learns")
  void id() {
    ListedNode listed = (ListedNode) node.store();
    assertEquals("", listed.nodeId());
    admit();
    assertTrue(node.takes(key("id")));
    Await.until("it is known", () -> !listed.nodeId().isEmpty());
    assertEquals(Optional.of(listed.nodeId()), server.call("HGET", "lh:node", "id"));
  }

  @Test
  @DisplayName("It promises turns, fences, slots and sides, and no latch")
  void promises() {
    Set<Guarantee> all = node.store().guarantees();
    assertTrue(
        all.containsAll(
            Set.of(
                Guarantee.FENCING,
                Guarantee.TURNS,
                Guarantee.SLOTS,
                Guarantee.SHARED,
                Guarantee.MINIMUM_HOLD)));
    assertFalse(all.contains(Guarantee.LATCH));
    assertInstanceOf(SlotStore.class, node.store());
  }

  @Test
  @DisplayName("Longer leases than the quorum's are refused, and a cluster")
  void refusals() {
    admit();
    LockStoreException tooLong =
        assertThrows(
            LockStoreException.class, () -> node.acquire(key("long"), LONGEST.plusMillis(1)));
    assertEquals(Kind.REFUSED, tooLong.kind());
    LockConfigurationException cluster =
        assertThrows(LockConfigurationException.class, () -> open("lock.redis.cluster", "true"));
    assertTrue(
        String.valueOf(cluster.getMessage()).contains("lock.redis.cluster"), cluster::toString);
  }

  @Test
  @DisplayName("Only the script scheme has a place for the node's marker")
  void schemes() {
    RedisSetnxBackend backend = new RedisSetnxBackend();
    assertTrue(backend.isGuarded(settings()));
    assertFalse(backend.isGuarded(settings("lock.redis-setnx.scheme", "setnx-timestamp")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "reader", "writer"})
  @DisplayName("An acquisition that outlives its connection arrives too late after a release")
  void late(String kind) {
    admit();
    Ops view = view(kind);
    LeaseKey late = key("late");
    ActiveFault stray = proxy.next(1, SCRIPT, CommandFault.strayRequest());
    assertThrows(LockStoreException.class, () -> view.acquire(late));
    assertEquals(1, stray.hits());
    view.release(late);
    int connections = proxy.connections();
    stray.close(); // it arrives now
    Await.until("its connection has ended", () -> proxy.connections() == connections - 1);
    List<?> marks = (List<?>) server.call("KEYS", "lh:{late}*:gone*").orElseThrow();
    assertFalse(marks.isEmpty(), "the token is marked");
    assertTrue(view.takes(key("late")), "the late one took nothing");
  }

  private Ops view(String kind) {
    return switch (kind) {
      case "reader" -> new Ops(((ReadWriteStore) node.store()).reads());
      case "writer" -> new Ops(((ReadWriteStore) node.store()).writes());
      default -> node;
    };
  }
}
