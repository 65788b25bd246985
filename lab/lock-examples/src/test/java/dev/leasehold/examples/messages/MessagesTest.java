package dev.leasehold.examples.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Heard;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import dev.leasehold.testkit.server.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Reports of failures, in the same words by every backend")
class MessagesTest {
  private static final String CERTIFICATE = "lock.redis.tls.certificate-file";
  private static final String KEY = "lock.redis.tls.key-file";

  private static String refused(BackendModes kind, String uri, String... more) {
    Map<String, String> settings = new HashMap<>(kind.settings(List.of(uri)));
    settings.put("lock.redis.connect-timeout", "20s");
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    LockException told =
        assertThrows(
            LockException.class, () -> LockManager.open(LockSettings.of(settings)).close(), uri);
    assertTrue(
        Stream.of(told.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(MessagesTest.class.getName())),
        "its trace shows the caller, also if a client's thread failed");
    return String.valueOf(told.getMessage());
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("A missing server: the address once, as it was given")
  void nobody(BackendModes kind) {
    assertEquals(
        "Could not connect to Redis at localhost:1: connection refused",
        refused(kind, "redis://app:secret@localhost:1/3"));
    assertEquals(
        "Could not connect to Redis at [127.0.0.1:1, 127.0.0.1:2]: connection refused",
        refused(kind, "redis://127.0.0.1:1,127.0.0.1:2", "lock.redis.cluster", "true"));
    String sentinels = refused(kind, "redis-sentinel://127.0.0.1:1#primary");
    assertTrue(
        sentinels.startsWith("Could not connect to Redis at primary (Sentinels 127.0.0.1:1): "),
        sentinels);
    assertEquals(sentinels.indexOf("127.0.0.1"), sentinels.lastIndexOf("127.0.0.1"), sentinels);
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("No login, or a wrong one: the settings for it")
  void login(BackendModes kind) {
    String keys = "(lock.redis.username and lock.redis.password set the login, or lock.redis.uri)";
    try (RedisServer server = RedisServers.start(ServerOptions.defaults().withPassword("right"))) {
      String at = server.host() + ":" + server.port();
      String none = refused(kind, "redis://" + at);
      assertTrue(none.contains(at + ": NOAUTH") && none.endsWith(keys), none);
      String wrong = refused(kind, "redis://wrong@" + at);
      assertTrue(wrong.contains(at + ": WRONGPASS") && wrong.endsWith(keys), wrong);
    }
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("TLS to a port without, and the reverse: a hint at the other")
  void tls(BackendModes kind) {
    ServerOptions options = ServerOptions.defaults();
    try (RedisServer plain = RedisServers.start(options);
        RedisServer tls = RedisServers.start(options.withTls(TlsFiles.create()))) {
      // Some clients get no answer from such a port: the hint is the same after any time.
      String[] brief = {"lock.redis.connect-timeout", "500ms"};
      String toPlain = refused(kind, "rediss://127.0.0.1:" + plain.port(), brief);
      assertTrue(toPlain.endsWith("write redis:// if this port has none)"), toPlain);
      String toTls = refused(kind, "redis://127.0.0.1:" + tls.port(), brief);
      assertTrue(toTls.endsWith("(write rediss:// if this port is for TLS)"), toTls);
    }
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("A certificate that is refused: the settings for it")
  void certificate(BackendModes kind) {
    ServerOptions options = ServerOptions.defaults();
    TlsFiles elsewhere = TlsFiles.createFor("elsewhere");
    try (RedisServer tls = RedisServers.start(options.withTls(elsewhere))) {
      String uri = "rediss://127.0.0.1:" + tls.port();
      String unknown = refused(kind, uri);
      assertTrue(
          unknown.endsWith(" (lock.redis.tls.trust-file names the certificates to trust)"),
          unknown);
      String trust = "lock.redis.tls.trust-file";
      String host = refused(kind, uri, trust, elsewhere.certificate().toString());
      assertTrue(
          host.endsWith(
              " (the certificate is for another host; lock.redis.tls.verify sets what is checked)"),
          host);
      String key = refused(kind, uri, trust, elsewhere.key().toString());
      assertTrue(key.startsWith("lock.redis.tls.trust-file = '"), key);
      assertTrue(key.endsWith(" has no certificate in it"), key);
    }
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("A server that wants a certificate, and a key that can't be used: the settings")
  void clientCertificate(BackendModes kind) throws IOException {
    TlsFiles here = TlsFiles.create();
    try (RedisServer tls = RedisServers.start(ServerOptions.defaults().withMutualTls(here))) {
      String uri = "rediss://127.0.0.1:" + tls.port();
      String own = here.certificate().toString();
      String[] trusting = {"lock.redis.tls.trust-file", own, "lock.redis.connect-timeout", "2s"};
      String none = refused(kind, uri, trusting); // Redisson waits for as long
      assertTrue(none.contains("set " + CERTIFICATE + ", if the server wants the client's"), none);
      Path old = Files.createTempFile("key", ".pem");
      Files.writeString(old, Files.readString(here.key()).replace("PRIVATE KEY", "EC PRIVATE KEY"));
      String form = refused(kind, uri, CERTIFICATE, own, KEY, old.toString());
      assertTrue(form.startsWith(KEY + " = '") && form.contains("PKCS 8"), form);
      String others = TlsFiles.createFor("elsewhere").key().toString();
      String strange = refused(kind, uri, CERTIFICATE, own, KEY, others);
      assertTrue(strange.startsWith(KEY + " = '"), strange);
      assertTrue(strange.endsWith(" is not the key of " + CERTIFICATE), strange);
    }
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("A Redis server where the address of a Sentinel should be: which port to use")
  void noSentinel(BackendModes kind) {
    try (RedisServer server = RedisServers.start()) {
      String at = server.host() + ":" + server.port();
      String told = refused(kind, "redis-sentinel://" + at + "#primary");
      String where = "Could not connect to Redis at primary (Sentinels " + at + "): ";
      assertTrue(told.startsWith(where), told);
      assertTrue(told.contains(" Sentinel, whose port is 26379 by default"), told);
    }
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("An unresponsive server: for how long, as the setting was written")
  void silent(BackendModes kind) throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String at = "127.0.0.1:" + silent.getLocalPort();
      String told = refused(kind, "redis://" + at, "lock.redis.connect-timeout", "500ms");
      // Lettuce's own time-out may close the connection first; the message then reports that.
      String why = "(no answer within 500ms|Connection closed prematurely)";
      assertTrue(
          told.matches("Could not connect to Redis at " + at + ": " + why + " \\(write rediss:.*"),
          told);
    }
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("A line break in a name begins no line, in no message, no cause and no log")
  void lineBreak(BackendModes kind) {
    String name = "orders\nERROR all is lost";
    Heard heard = new Heard();
    try (RedisServer server = RedisServers.start()) {
      Map<String, String> brief = kind.settings(List.of(server.uri()));
      brief.put("lock.close-grace", "10ms");
      LockSettings settings = LockSettings.of(brief);
      try (LockManager manager =
              LockManager.opener(settings).engine(engine -> engine.listener(heard)).open();
          LockManager other = LockManager.open(settings)) {
        manager.lock(name).tryAcquire().orElseThrow();
        for (Object key : (List<?>) server.call("KEYS", "*all is lost*").orElseThrow()) {
          server.call("DEL", String.valueOf(key));
          server.call("LPUSH", String.valueOf(key), "of another type");
        }
        heard.thrown(
            assertThrows(LockException.class, () -> other.lock(name).tryAcquire().orElseThrow()));
        heard.thrown(assertThrows(LockException.class, () -> other.lock(name).inspect()));
      }
    } finally {
      heard.close();
    }
    String all = heard.all();
    assertTrue(all.contains("orders\\nERROR all is lost") && all.contains("WRONGTYPE"), all);
    assertTrue(all.lines().noneMatch(line -> line.startsWith("ERROR")), all);
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName("A server that may evict: where managed services have that setting")
  void eviction(BackendModes kind) {
    try (RedisServer server =
        RedisServers.start(
            ServerOptions.defaults()
                .with("--maxmemory", "100mb", "--maxmemory-policy", "volatile-lru"))) {
      String told = refused(kind, server.uri());
      for (String words :
          List.of("maxmemory-policy = volatile-lru", "parameter group", "Memorystore", "Azure")) {
        assertTrue(told.contains(words), told);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_NONE)
  @DisplayName(
      "A user without permission for scripts is refused when the manager is opened, with"
          + " advice")
  void scripts(BackendModes kind) {
    try (RedisServer server = RedisServers.start()) {
      String uri = "redis://none:pw@" + server.host() + ":" + server.port();
      for (String lacking : List.of("-eval", "-evalsha", "-@scripting")) {
        server.call("ACL", "SETUSER", "none", "reset", "on", ">pw", "~*", "&*", "+@all", lacking);
        String told = refused(kind, uri);
        assertTrue(told.contains("needs scripts, which are refused here"), told);
        assertTrue(told.contains("NOPERM") && told.contains("setnx-timestamp"), told);
      }
      LockSettings without =
          LockSettings.of(
              Map.of(
                  "lock.backend",
                  "redis-setnx",
                  "lock.redis-setnx.scheme",
                  "setnx-timestamp",
                  "lock.redis.uri",
                  uri));
      LockManager.open(without).close(); // as the message says
    }
  }

  @Test
  @DisplayName("Durations are written as settings write them")
  void durations() {
    LockOptions.Builder options = LockOptions.builder();
    Exception e =
        assertThrows(
            IllegalArgumentException.class, () -> options.fixedLease(Duration.ofMillis(1)));
    assertEquals("lease 1ms is not between 10ms and 365d", e.getMessage());
    String told = LockOptions.fixed(Duration.ofMinutes(5)).toString();
    assertFalse(told.contains("PT"), told);
    String nodes = "redis://127.0.0.1:1,redis://127.0.0.1:2,redis://127.0.0.1:3";
    String longer =
        refused(BackendModes.REDLOCK, "", "lock.redlock.nodes", nodes, "lock.lease", "2m");
    assertTrue(
        longer.startsWith("lock.lease = 2m (a map) is longer than lock.redlock.longest-lease = 1m"),
        longer);
  }
}
