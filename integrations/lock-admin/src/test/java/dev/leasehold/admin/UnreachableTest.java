package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import dev.leasehold.testkit.server.TlsFiles;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A server that can't be reached")
class UnreachableTest {
  /** On a busy machine one of two that are compared might be told that the time was up. */
  private String connect = "20s";

  private LockSettings settings(String uri) {
    return LockSettings.of(
        Map.of(
            "lock.backend",
            "redis-set",
            "lock.redis.uri",
            uri,
            "lock.redis.connect-timeout",
            connect));
  }

  private String locks(String uri) {
    return String.valueOf(
        assertThrows(LockStoreException.class, () -> LockManager.open(settings(uri)).close(), uri)
            .getMessage());
  }

  private String admin(String uri) {
    return String.valueOf(
        assertThrows(
                LockStoreException.class,
                () -> {
                  try (LockAdmin admin = LockAdmin.open(settings(uri))) {
                    admin.examine();
                  }
                },
                uri)
            .getMessage());
  }

  @Test
  @DisplayName("is reported in the words of the locks, with their hints at TLS")
  void words() {
    ServerOptions options = ServerOptions.defaults();
    try (RedisServer plain = RedisServers.start(options);
        RedisServer tls = RedisServers.start(options.withTls(TlsFiles.create()))) {
      String refused = "redis://127.0.0.1:1";
      assertEquals(locks(refused), admin(refused));
      String untrusted = "rediss://127.0.0.1:" + tls.port();
      assertEquals(locks(untrusted), admin(untrusted));
      String toTls = admin("redis://127.0.0.1:" + tls.port());
      assertTrue(toTls.endsWith("(write rediss:// if this port is for TLS)"), toTls);
      connect = "2s"; // this port answers no handshake
      String toPlain = admin("rediss://127.0.0.1:" + plain.port());
      assertTrue(toPlain.endsWith("write redis:// if this port has none)"), toPlain);
    }
  }
}
