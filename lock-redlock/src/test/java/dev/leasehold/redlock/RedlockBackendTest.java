package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.redis.set.RedisSetBackend;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.RedisServers;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The backend redlock")
class RedlockBackendTest {
  private static final Optional<Object> ONE = Optional.of(1L);
  private final List<RedisServer> servers = new ArrayList<>();

  private List<RedisServer> start(int count) {
    for (int i = 0; i < count; i++) {
      servers.add(RedisServers.start());
      NodeOperations.admit(servers.get(i));
    }
    return servers;
  }

  @AfterEach
  void stop() {
    servers.forEach(RedisServer::close);
  }

  private static LockManager open(List<RedisServer> nodes) {
    return open(nodes.stream().map(RedisServer::uri).collect(Collectors.joining(",")));
  }

  private static LockManager open(String nodes) {
    return LockManager.open(
        LockSettings.of(Map.of("lock.redlock.nodes", nodes, "lock.redlock.longest-lease", "30s")));
  }

  @Test
  @DisplayName("wins over the backend that it is built on, and excludes")
  void excludes() {
    start(3);
    try (LockManager a = open(servers);
        LockManager b = open(servers)) {
      Lease lease = a.lock("l").tryAcquire().orElseThrow();
      assertTrue(b.lock("l").tryAcquire().isEmpty());
      lease.release();
      b.lock("l").tryAcquire().orElseThrow().release();
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"fenced,~lh:*,&lh:*,lh:{l}", "plain,~l,~lh:node,l"})
  @DisplayName("needs no more permissions on a node than the ACL's page says, in plain mode either")
  void fewPermissions(String mode, String keys, String besides, String key) {
    start(3);
    servers.get(2).call("DEL", "lh:node"); // so that its marker is written
    List<String> uris = new ArrayList<>();
    for (RedisServer server : servers) {
      server.call(
          ("ACL SETUSER few reset on >secret resetchannels "
                  + (keys + " " + besides)
                  + " +hello +ping +info"
                  + " +client|setname +client|setinfo +evalsha +eval +get +set +del +exists +pttl"
                  + " +pexpire +time +incrby +zadd +zrem +zrange +publish +subscribe +hset +hmget")
              .split(" "));
      uris.add("redis://few:secret@" + server.host() + ":" + server.port());
    }
    LockSettings settings =
        LockSettings.of(
            Map.of("lock.redlock.nodes", String.join(",", uris), "lock.redis-set.mode", mode));
    try (LockManager a = LockManager.open(settings);
        LockManager b = LockManager.open(settings)) {
      Lease lease = a.lock("l").tryAcquire().orElseThrow();
      assertTrue(servers.get(0).call("EXISTS", key).equals(ONE), key);
      var next = b.lock("l").acquireAsync();
      assertTrue(lease.extend(Duration.ofSeconds(40)));
      assertTrue(a.lock("l").inspect().isPresent());
      lease.release();
      Await.value(next).release();
      Await.until(
          "the marker is there", () -> servers.get(2).call("EXISTS", "lh:node").equals(ONE));
    }
    for (RedisServer server : servers) {
      Set<String> refused = refused(server);
      refused.removeIf(command -> command.startsWith("command")); // it does without
      assertEquals(Set.of(), refused);
    }
  }

  /** What a user was not allowed to do. */
  private static Set<String> refused(RedisServer server) {
    List<?> entries = (List<?>) server.call("ACL", "LOG").orElseThrow();
    return entries.stream()
        .map(entry -> (List<?>) entry)
        .map(entry -> entry.get(entry.indexOf("object") + 1).toString())
        .collect(Collectors.toSet());
  }

  @Test
  @DisplayName("opens while a node is down, and counts it in once it is up")
  void opensWithANodeDown() {
    start(3);
    servers.get(0).kill();
    try (LockManager locks = open(servers)) {
      locks.lock("l").tryAcquire().orElseThrow().release();
      servers.get(0).restart(Data.LOSE);
      NodeOperations.admit(servers.get(0));
      Await.until(
          "the first node votes",
          () -> {
            Lease lease = locks.lock("l").tryAcquire().orElseThrow();
            Optional<Object> there = servers.get(0).call("EXISTS", "lh:{l}");
            lease.release();
            return there.equals(Optional.of(1L));
          });
      servers.get(1).kill();
      locks.lock("l").tryAcquire().orElseThrow().release();
    }
  }

  @Test
  @DisplayName("does not open when a majority is down, and names the nodes")
  void needsAMajority() {
    start(3);
    servers.get(0).kill();
    servers.get(2).kill();
    LockStoreException e = assertThrows(LockStoreException.class, () -> open(servers));
    assertTrue(e.getMessage().contains(servers.get(0).uri()), e.getMessage());
    assertTrue(e.getMessage().contains(servers.get(2).uri()), e.getMessage());
  }

  @Test
  @DisplayName("refuses two names of one server, by its run id")
  void oneServerTwice() {
    start(2);
    String second = servers.get(1).uri().replace("127.0.0.1", "localhost");
    LockConfigurationException e =
        assertThrows(
            LockConfigurationException.class,
            () -> open(servers.get(0).uri() + "," + servers.get(1).uri() + "," + second));
    assertTrue(e.getMessage().contains("one server"), e.getMessage());
  }

  @Test
  @DisplayName("names the settings that are missing or wrong")
  void settings() {
    assertEquals(
        "lock.redlock.nodes is not set: The servers, each independent of the others.",
        assertThrows(
                LockConfigurationException.class,
                () -> LockManager.open(LockSettings.of(Map.of("lock.backend", "redlock"))))
            .getMessage());
    for (String wrong : List.of("redis://a,redis://b", "redis://a,,redis://b", "a,b,b")) {
      LockConfigurationException e =
          assertThrows(LockConfigurationException.class, () -> open(wrong));
      assertTrue(e.getMessage().contains("lock.redlock.nodes"), e.getMessage());
    }
  }

  @Test
  @DisplayName("refuses a default lease that no node would grant")
  void leaseTooLong() {
    LockSettings settings =
        LockSettings.of(
            Map.of("lock.redlock.nodes", "redis://a,redis://b,redis://c", "lock.lease", "2m"));
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> LockManager.open(settings));
    assertTrue(e.getMessage().contains("lock.lease = 2m"), e.getMessage());
    assertTrue(e.getMessage().contains("lock.redlock.longest-lease = 1m"), e.getMessage());
  }

  @Test
  @DisplayName("refuses a minimum hold above the longest lease, and takes one that is as long")
  void minimumTooLong() {
    LockSettings settings =
        LockSettings.of(
            Map.of("lock.redlock.nodes", "redis://a,redis://b,redis://c", "lock.at-least", "2m"));
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> LockManager.open(settings));
    assertTrue(e.getMessage().contains("lock.at-least = 2m"), e.getMessage());
    assertTrue(e.getMessage().contains("lock.redlock.longest-lease = 1m"), e.getMessage());
    start(3);
    try (LockManager manager = open(servers)) {
      LockOptions.Builder options = LockOptions.builder().automaticLease(Duration.ofSeconds(10));
      LockOptions tooLong = options.atLeast(Duration.ofMillis(30_001)).build();
      e = assertThrows(LockConfigurationException.class, () -> manager.lock("l", tooLong));
      assertTrue(e.getMessage().contains("30s"), e.getMessage());
      LockOptions longest = options.atLeast(Duration.ofSeconds(30)).build();
      manager.lock("l", longest).tryAcquire().orElseThrow().release();
      assertTrue(manager.lock("l", longest).tryAcquire().isEmpty());
      Duration left = manager.lock("l").inspect().orElseThrow().remaining();
      assertTrue(left.compareTo(Duration.ofSeconds(29)) > 0, left::toString);
    }
  }

  /** Lets a server vote as soon as it is there. */
  public static final class Careless implements LockBackend {
    private final RedisSetBackend backend = new RedisSetBackend();

    @Override
    public String id() {
      return "careless";
    }

    @Override
    public List<Setting<?>> settings() {
      return backend.settings();
    }

    @Override
    public LeaseStore open(LockSettings settings) {
      return backend.open(settings);
    }
  }

  @Test
  @DisplayName("refuses nodes that vote with locks forgotten, unless asked for, and not in order")
  void carelessNodes(@TempDir Path folder) throws Exception {
    start(3);
    servers.forEach(server -> server.call("DEL", "lh:node"));
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(LockBackend.class.getName()), Careless.class.getName());
    Map<String, String> settings = new HashMap<>();
    settings.put("lock.backend", "redlock");
    settings.put("lock.redlock.node-backend", "careless");
    settings.put(
        "lock.redlock.nodes",
        servers.stream().map(RedisServer::uri).collect(Collectors.joining(",")));
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader more = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      thread.setContextClassLoader(more);
      LockConfigurationException e =
          assertThrows(
              LockConfigurationException.class, () -> LockManager.open(LockSettings.of(settings)));
      assertTrue(e.getMessage().contains("lock.redlock.node-backend = 'careless'"), e.getMessage());
      settings.put("lock.redlock.allow-unguarded", "true");
      try (LockManager locks = LockManager.open(LockSettings.of(settings))) {
        locks.lock("l").tryAcquire().orElseThrow().release();
      }
      settings.put("lock.redis.fair", "true"); // they don't vote on places
      LockConfigurationException order =
          assertThrows(
              LockConfigurationException.class, () -> LockManager.open(LockSettings.of(settings)));
      assertTrue(order.getMessage().contains("in the order of arrival"), order.getMessage());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** A node in memory that says which server it is on. */
  private static final class Named extends Delegate implements IdentifiedStore {
    private volatile String server;

    Named(QuorumNode node, String server) {
      super(node);
      this.server = server;
    }

    @Override
    public String serverId() {
      return server;
    }
  }

  @Test
  @DisplayName("A name that now resolves to another node's server has no vote any more")
  void becomesOneServer() {
    try (MemoryNodes nodes = new MemoryNodes(3)) {
      List<QuorumNode> clients = nodes.clients();
      Named b = new Named(clients.get(1), "b");
      List<Named> named =
          List.of(new Named(clients.get(0), "a"), b, new Named(clients.get(2), "c"));
      try (LockManager locks = RedlockLocks.over(named).manager()) {
        nodes.get(2).die();
        locks.lock("l").tryAcquire().orElseThrow().release();
        b.server = "a";
        LockStoreException e =
            assertThrows(LockStoreException.class, () -> locks.lock("l").tryAcquire());
        assertTrue(e.getMessage().contains("the same server"), e.getMessage());
      }
    }
  }
}
