package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;

@DisplayName("Clients of an application that are handed in")
class UserClientTest {
  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServers.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  @DisplayName("An application's client gives address and user; its pool is left alone")
  void handedIn() {
    server.call("ACL", "SETUSER", "theirs", "reset", "on", ">secret", "~lh:*", "&*", "+@all");
    JedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .user("theirs")
            .password("secret")
            .clientName("theirs")
            .build();
    try (PooledConnectionProvider pool = pool(server.host(), server.port(), config);
        UnifiedJedis client = AnyJedis.on(pool)) {
      assertEquals("PONG", client.ping());
      try (Ops store = new Ops(RedisSetnxLocks.over(client).open())) {
        LeaseKey mine = key("handed-in");
        assertTrue(store.takes(mine));
        Await.value(store.store().watch(mine, () -> {}));
        assertEquals(0, pool.getPool().getNumActive(), "none of the pool's is used");
        assertTrue(
            ClientList.named(server, "theirs").lines().allMatch(c -> c.contains("user=theirs")),
            () -> ClientList.named(server, "theirs"));
        assertEquals(ReleaseResult.RELEASED, store.release(mine));
        assertEquals(
            3,
            ClientList.named(server, "theirs").lines().count(),
            "the pool's, to listen, for calls");
      }
      Await.until("ours are gone", () -> ClientList.named(server, "theirs").lines().count() == 1);
      assertEquals("PONG", client.ping());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis.clients.jedis.JedisPooled", "redis.clients.jedis.RedisClient"})
  @DisplayName("Whatever a version of Jedis calls its client, it is taken")
  void calledOtherwise(String name) throws ReflectiveOperationException {
    Class<?> type;
    try {
      type = Class.forName(name);
    } catch (ClassNotFoundException e) {
      assumeTrue(false, "this Jedis has none");
      return;
    }
    Object made;
    if (name.endsWith("JedisPooled")) {
      made = type.getConstructor(String.class, int.class).newInstance(server.host(), server.port());
    } else {
      made =
          type.getMethod("create", String.class, int.class)
              .invoke(null, server.host(), server.port());
    }
    try (UnifiedJedis client = (UnifiedJedis) made;
        LockManager locks = RedisSetnxLocks.over(client).manager();
        LockManager others = RedisSetnxLocks.over(client).manager()) {
      Lease lease = locks.lock(name).tryAcquire().orElseThrow();
      assertTrue(others.lock(name).tryAcquire().isEmpty(), "it is held");
      lease.release();
      others.lock(name).tryAcquire().orElseThrow().release();
    }
  }

  @Test
  @DisplayName("A client of an unknown server type is refused by its class")
  void notAServer() {
    ConnectionProvider odd =
        new ConnectionProvider() {
          @Override
          public Connection getConnection() {
            throw new JedisException("no connections"); // Jedis asks for the protocol's version
          }

          @Override
          public Connection getConnection(CommandArguments arguments) {
            throw new JedisException("no connections");
          }

          @Override
          public void close() {}
        };
    UnifiedJedis client = AnyJedis.on(odd);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> RedisSetnxLocks.over(client));
    assertTrue(e.getMessage().contains(odd.getClass().getName()), e.getMessage());
    client.close();
  }

  private static PooledConnectionProvider pool(String host, int port, JedisClientConfig config) {
    return new PooledConnectionProvider(new HostAndPort(host, port), config);
  }
}
