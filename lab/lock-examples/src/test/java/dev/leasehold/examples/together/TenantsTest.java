package dev.leasehold.examples.together;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Tenants of one server, each with a key prefix and with rights for that alone")
class TenantsTest {
  private static final List<String> PREFIXES = List.of("a:", "b:");
  private static ServerGroup servers;

  /** All modes. */
  enum Mode {
    FENCED("redis-set"),
    PLAIN("redis-set", "lock.redis-set.mode", "plain"),
    SETNX_SCRIPT("redis-setnx"),
    SETNX_TIMESTAMP("redis-setnx", "lock.redis-setnx.scheme", "setnx-timestamp"),
    YII2("redis-setnx", "lock.redis-setnx.scheme", "yii2"),
    REDIS_OBJECTS("redis-setnx", "lock.redis-setnx.scheme", "redis-objects"),
    MILLIS("redis-setnx", "lock.redis-setnx.scheme", "millis"),
    SECONDS("redis-setnx", "lock.redis-setnx.scheme", "seconds"),
    REDISSON("redisson"),
    REDISSON_FAIR("redisson", "lock.redisson.mode", "fair"),
    REDLOCK("redlock"),
    REDLOCK_PLAIN("redlock", "lock.redis-set.mode", "plain"),
    REDLOCK_REDISSON("redlock", "lock.redlock.node-backend", "redisson");

    private final List<String> settings;

    Mode(String... settings) {
      this.settings = List.of(settings);
    }

    /** A manager logged in as the tenant's own user. */
    LockManager open(String prefix) {
      Map<String, String> all = new HashMap<>();
      all.put("lock.backend", settings.get(0));
      if (settings.size() > 1) {
        all.put(settings.get(1), settings.get(2));
      }
      String nodes =
          servers.servers().stream().map(RedisServer::uri).collect(Collectors.joining(","));
      all.put(
          settings.get(0).equals("redlock") ? "lock.redlock.nodes" : "lock.redis.uri",
          settings.get(0).equals("redlock") ? nodes : servers.servers().get(0).uri());
      all.put("lock.redis.key-prefix", prefix);
      all.put("lock.redis.username", user(prefix));
      all.put("lock.redis.password", "pw");
      return LockManager.open(LockSettings.of(all));
    }
  }

  private static String user(String prefix) {
    return "tenant-" + prefix.charAt(0);
  }

  @BeforeAll
  static void start() {
    servers = ServerGroup.start(3, ServerOptions.defaults(), TenantsTest::admit);
  }

  /** Creates a user restricted to the prefix, also in Redisson's key format. */
  private static void admit(RedisServer server) {
    for (String prefix : PREFIXES) {
      server.call("HSET", prefix + "lh:node", "run", server.runId(), "since", "0", "longest", "0");
      server.call(
          ("ACL SETUSER "
                  + user(prefix)
                  + " reset on >pw resetchannels +@all ~PX* &PX* ~redisson_lock*:{PX*"
                  + " &redisson_lock__channel:{PX*")
              .replace("PX", prefix)
              .split(" "));
    }
  }

  @AfterAll
  static void stop() {
    if (servers != null) {
      servers.close();
    }
  }

  @BeforeEach
  void empty() {
    for (RedisServer server : servers.servers()) {
      server.call("FLUSHALL");
      admit(server);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Two prefixes never meet; one is one, and its releases wake its waiters")
  void apart(Mode mode) throws Exception {
    try (LockManager one = mode.open("a:");
        LockManager same = mode.open("a:");
        LockManager other = mode.open("b:")) {
      Lease held = one.lock("x").acquire();
      Lease theirs = other.lock("x").tryAcquire().orElseThrow();
      assertEquals(Optional.empty(), same.lock("x").tryAcquire());
      assertEquals(
          one.lock("x").inspect().orElseThrow().holder(),
          same.lock("x").inspect().orElseThrow().holder());
      CompletableFuture<Lease> waiting = same.lock("x").acquireAsync().toCompletableFuture();
      for (RedisServer server : servers.servers()) {
        for (Object key : (List<?>) server.call("KEYS", "*").orElseThrow()) {
          assertTrue(
              key.toString().matches("([ab]:|redisson_lock_(queue|timeout):\\{[ab]:).*"),
              key::toString);
        }
        for (Object channel : (List<?>) server.call("PUBSUB", "CHANNELS").orElseThrow()) {
          assertTrue(
              channel.toString().matches("([ab]:|redisson_lock__channel:\\{[ab]:).*"),
              channel::toString);
        }
      }
      held.release();
      Lease next = Await.value(waiting);
      assertTrue(theirs.isValid());
      assertTrue(theirs.extend(Duration.ofSeconds(40)));
      next.release();
      theirs.release();
    }
  }

  @Test
  @DisplayName(
      "A prefix with braces or wildcards, or an empty one, is refused with what is" + " allowed")
  void refused() {
    for (String wrong : List.of("{a}", "a*", "a b", "", "x".repeat(65))) {
      LockConfigurationException e =
          assertThrows(
              LockConfigurationException.class,
              () ->
                  LockManager.open(
                      LockSettings.of(
                          Map.of("lock.backend", "redis-set", "lock.redis.key-prefix", wrong))));
      assertTrue(e.getMessage().contains("lock.redis.key-prefix = '" + wrong + "'"), e::toString);
      assertTrue(e.getMessage().contains("1 to 64 characters"), e::toString);
    }
  }
}
