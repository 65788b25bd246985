package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

@DisplayName("Locks are on the client that the application has")
class ConnectionsTest {
  @AutoClose private static final RedisServer server = RedisServers.start();

  /** An application's Redisson. */
  static class WithRedisson {
    @Bean(destroyMethod = "shutdown")
    RedissonClient redisson(@Value("${spring.data.redis.port}") int port) {
      Config config = new Config();
      config
          .useSingleServer()
          .setAddress("redis://127.0.0.1:" + port)
          .setConnectionMinimumIdleSize(1)
          .setSubscriptionConnectionMinimumIdleSize(1);
      return Redisson.create(config);
    }
  }

  /** As many applications write it. */
  static class ByInterface {
    @Bean
    RedisConnectionFactory connections(@Value("${spring.data.redis.port}") int port) {
      return new LettuceConnectionFactory("127.0.0.1", port);
    }
  }

  @Test
  @DisplayName("Lettuce: also a factory that is declared by its interface")
  void byInterface() throws Exception {
    try (ConfigurableApplicationContext context = Apps.start(server, List.of(), ByInterface.class);
        Lease lease = context.getBean(LockManager.class).lock("declared").acquire()) {
      assertTrue(lease.isValid());
      assertTrue(String.valueOf(server.call("KEYS", "*declared*")).contains("declared"));
    }
  }

  /** Of an unknown kind. */
  static class Unknown {
    @Bean
    RedisConnectionFactory connections() {
      return (RedisConnectionFactory)
          Proxy.newProxyInstance(
              Unknown.class.getClassLoader(),
              new Class<?>[] {RedisConnectionFactory.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "hashCode" -> 1;
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> "unknown";
                    default -> null;
                  });
    }
  }

  @Test
  @DisplayName("A factory of another kind is never passed over for the default address")
  void unknown() {
    Throwable wrong =
        assertThrows(Exception.class, () -> Apps.start(server, List.of(), Unknown.class).close());
    while (!(wrong instanceof LockConfigurationException)) {
      wrong = wrong.getCause();
    }
    assertTrue(wrong.getMessage().contains("leasehold.redis.uri"), wrong.getMessage());
  }

  @Test
  @DisplayName("Nor is a client of another backend than the one that is set")
  void otherBackend() {
    LockSettings setnx = LockSettings.of(Map.of("lock.backend", "redis-setnx"));
    LockConfigurationException wrong =
        assertThrows(
            LockConfigurationException.class,
            () -> Connection.opener(setnx, List.of(backend("redis-set")), List.of()));
    assertTrue(wrong.getMessage().contains("leasehold.redis.uri"), wrong.getMessage());
    LockSettings own = LockSettings.of(Map.of("lock.backend", "custom"));
    Connection.opener(own, List.of(backend("redis-set")), List.of("unusable"));
  }

  @Test
  @DisplayName("Jedis: connections as its factory makes them")
  void jedis() throws Exception {
    try (ConfigurableApplicationContext context =
        Apps.start(server, List.of("spring.data.redis.client-type=jedis"))) {
      try (Lease lease = context.getBean(LockManager.class).lock("jedis").acquire()) {
        assertTrue(lease.fencingToken() > 0);
        assertEquals(Set.of("the-application"), new TreeSet<>(Apps.connections(server)));
      }
    }
  }

  @Test
  @DisplayName("Redisson: its own, and its own locks are excluded")
  void redisson() throws Exception {
    try (ConfigurableApplicationContext context =
        Apps.start(server, List.of(), WithRedisson.class)) {
      try (Lease lease = context.getBean(LockManager.class).lock("shared").acquire()) {
        assertTrue(lease.isValid());
        assertTrue(context.getBean(RedissonClient.class).getLock("shared").isLocked());
      }
      assertFalse(context.getBean(RedissonClient.class).getLock("shared").isLocked());
    }
  }

  @Test
  @DisplayName("One that no backend can use is an error that names the jar; a URI settles it")
  void unusable() {
    List<String> advice = List.of("The application has a JedisConnectionFactory; add this.");
    LockSettings none = LockSettings.of(Map.of());
    LockConfigurationException wrong =
        assertThrows(
            LockConfigurationException.class, () -> Connection.opener(none, List.of(), advice));
    assertTrue(wrong.getMessage().startsWith(advice.get(0)), wrong.getMessage());
    LockSettings named =
        LockSettings.of(Map.of("lock.redis.uri", server.uri(), "lock.backend", "redis-set"));
    try (LockManager own = Connection.opener(named, List.of(), advice).open()) {
      assertFalse(own.guarantees().isEmpty());
    }
  }

  @Test
  @DisplayName("Several are an error that lists them, unless one is the starter's own")
  void several() {
    ClientBackend set = backend("redis-set");
    ClientBackend setnx = backend("redis-setnx");
    ClientBackend redisson = backend("redisson");
    LockSettings none = LockSettings.of(Map.of());
    Connection.opener(none, List.of(set, redisson), List.of()).check();
    LockConfigurationException several =
        assertThrows(
            LockConfigurationException.class,
            () -> Connection.opener(none, List.of(set, setnx, redisson), List.of()));
    assertTrue(
        several.getMessage().endsWith("leasehold.backend to one of redis-setnx, redisson"),
        several.getMessage());
  }

  private static ClientBackend backend(String id) {
    return new ClientBackend(
        java.util.ServiceLoader.load(dev.leasehold.lock.spi.LockBackend.class).stream()
            .map(java.util.ServiceLoader.Provider::get)
            .filter(found -> found.id().equals(id))
            .findFirst()
            .orElseThrow(),
        settings -> {
          throw new AssertionError("opened");
        },
        ClientBackend.Renewing.BY_THE_ENGINE,
        ClientBackend.Life.THE_CONTEXTS,
        "the application's " + id);
  }
}
