package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that may evict lock keys is refused unless the setting allows it. */
class EvictionTest {
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = ServerKind.EMBEDDED.start("--maxmemory", "100mb");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"allkeys-lru", "volatile-ttl"})
  void anEvictingServerIsRefused(String policy) {
    server.admin().configSet("maxmemory-policy", policy);
    Map<String, String> settings = Map.of("lock.redis.uri", server.uri());
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> StoreOps.open(settings));
    for (String part :
        new String[] {policy, "104857600", "noeviction", "lock.redis.allow-eviction = true"}) {
      assertTrue(e.getMessage().contains(part), e.getMessage());
    }
    StoreOps.open(Map.of("lock.redis.uri", server.uri(), "lock.redis.allow-eviction", "true"))
        .close();
  }

  @Test
  void withoutEvictionOrWithoutALimitItIsAccepted() {
    server.admin().configSet("maxmemory-policy", "noeviction");
    StoreOps.open(Map.of("lock.redis.uri", server.uri())).close();
    server.admin().configSet("maxmemory-policy", "allkeys-lru");
    server.admin().configSet("maxmemory", "0");
    try {
      StoreOps.open(Map.of("lock.redis.uri", server.uri())).close();
    } finally {
      server.admin().configSet("maxmemory", "104857600");
    }
  }

  @Test
  void aServerThatDoesNotTellIsRefused() {
    server.admin().configSet("maxmemory-policy", "noeviction");
    server.call("ACL", "SETUSER", "quiet", "on", ">p", "~*", "&*", "+@all", "-info");
    Map<String, String> settings =
        Map.of(
            "lock.redis.uri", server.uri(),
            "lock.redis.username", "quiet",
            "lock.redis.password", "p");
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> StoreOps.open(settings));
    assertTrue(e.getMessage().contains("INFO"), e.getMessage());
  }
}
