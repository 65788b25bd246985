package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import dev.leasehold.testkit.server.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("TLS: names, authorities and clients' certificates, with twins that are refused")
class SetnxTlsTest {
  private static TlsFiles here;
  private static TlsFiles elsewhere;

  @BeforeAll
  static void create() {
    here = TlsFiles.create();
    elsewhere = TlsFiles.createFor("elsewhere.example");
  }

  private static String uri(RedisServer server) {
    return "rediss://127.0.0.1:" + server.port();
  }

  private static void accepted(RedisServer server, TlsFiles trust, String... more) {
    try (Ops store = Ops.open(uri(server), with(trust, more))) {
      LeaseKey mine = key("tls");
      assertTrue(store.takes(mine));
      assertEquals(ReleaseResult.RELEASED, store.release(mine));
    }
  }

  private static String refused(RedisServer server, TlsFiles trust, String... more) {
    LockStoreException e =
        assertThrows(
            LockStoreException.class, () -> Ops.open(uri(server), with(trust, more)).close());
    assertEquals(Kind.UNREACHABLE, e.kind(), e.getMessage());
    assertTrue(e.getMessage().contains(":" + server.port()), e.getMessage());
    return e.getMessage();
  }

  private static String[] with(TlsFiles trust, String... more) {
    String[] all = new String[more.length + 2];
    all[0] = "lock.redis.tls.trust-file";
    all[1] = trust.certificate().toString();
    System.arraycopy(more, 0, all, 2, more.length);
    return all;
  }

  @Test
  @DisplayName("A certificate of another host: full refuses, ca and none accept")
  void anotherHost() {
    try (RedisServer server = RedisServers.start(ServerOptions.defaults().withTls(elsewhere))) {
      refused(server, elsewhere);
      refused(server, elsewhere, "lock.redis.tls.verify", "full");
      accepted(server, elsewhere, "lock.redis.tls.verify", "ca");
      accepted(server, elsewhere, "lock.redis.tls.verify", "none");
    }
  }

  @Test
  @DisplayName("An unknown authority: full and ca refuse, none accepts")
  void unknownAuthority() {
    try (RedisServer server = RedisServers.start(ServerOptions.defaults().withTls(here))) {
      for (String verify : new String[] {"full", "ca"}) {
        String words = refused(server, elsewhere, "lock.redis.tls.verify", verify);
        assertTrue(words.contains("PKIX"), words);
      }
      accepted(server, elsewhere, "lock.redis.tls.verify", "none");
    }
  }

  @Test
  @DisplayName("A server that wants a certificate gets one; without one, or with a stranger's, no")
  void clientCertificate() {
    try (RedisServer server = RedisServers.start(ServerOptions.defaults().withMutualTls(here))) {
      accepted(server, here, certificate(here));
      refused(server, here);
      refused(server, here, certificate(elsewhere));
    }
  }

  private static String[] certificate(TlsFiles files) {
    return new String[] {
      "lock.redis.tls.certificate-file",
      files.certificate().toString(),
      "lock.redis.tls.key-file",
      files.key().toString()
    };
  }

  @Test
  @DisplayName("A truncated key is reported with its setting")
  void truncatedKey(@TempDir Path folder) throws IOException {
    TlsFiles files = TlsFiles.create();
    String whole = Files.readString(files.key());
    int end = whole.indexOf("-----END");
    for (int missing : List.of(3, 4, 5, 100)) {
      String truncated = whole.substring(0, end).strip();
      truncated = truncated.substring(0, truncated.length() - missing);
      Path file = folder.resolve("key.pem");
      Files.writeString(file, truncated + "\n" + whole.substring(end));
      LockConfigurationException e =
          assertThrows(
              LockConfigurationException.class,
              () ->
                  Ops.open(
                      "rediss://127.0.0.1:1",
                      "lock.redis.tls.certificate-file",
                      files.certificate().toString(),
                      "lock.redis.tls.key-file",
                      file.toString()));
      assertTrue(
          e.getMessage().startsWith("lock.redis.tls.key-file = '" + file + "'"), e.getMessage());
    }
  }
}
