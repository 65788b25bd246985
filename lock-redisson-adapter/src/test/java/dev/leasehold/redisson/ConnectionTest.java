package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.Ports;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import dev.leasehold.testkit.server.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

@DisplayName("Addresses, users, TLS, Redisson's YAML file, and servers that do not answer")
class ConnectionTest {
  private static final String CONFIG = "lock.redisson.config";

  /** As docs/topologies.md has it, and what clients try besides. */
  static final String PERMISSIONS =
      "+hello +ping +info +client|setname +client|setinfo +evalsha +eval +get +set +del +exists"
          + " +pttl +pexpire +time +hset +hexists +hkeys +publish +subscribe +unsubscribe";

  private static final String FAIR_PERMISSIONS =
      "+lindex +lpop +lrange +lrem +rpush +zadd +zrem +zscore +zrevrange";

  private final Apps apps = new Apps();
  @TempDir private Path folder;

  @AfterEach
  void close() {
    apps.close();
  }

  private static LockManager open(String... settings) {
    Map<String, String> all = new TreeMap<>(Map.of("lock.backend", "redisson"));
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return LockManager.open(LockSettings.of(all));
  }

  private String yaml(String uri) throws IOException {
    String text =
        """
        lockWatchdogTimeout: 3000
        singleServerConfig:
          address: "%s"
          database: 2
          connectionMinimumIdleSize: 1
          connectionPoolSize: 4
        """;
    return Files.writeString(folder.resolve("redisson.yaml"), text.formatted(uri)).toString();
  }

  @Test
  @DisplayName("The client is as the YAML file says, its watchdog too")
  void yamlFile() throws Exception {
    String[] settings = {
      CONFIG, yaml(apps.server().uri()), "lock.redisson.renewal", "watchdog", "lock.lease", "1s"
    };
    try (LockManager manager = open(settings);
        Lease lease = manager.lock("yaml").acquire()) {
      assertEquals(0, apps.server().call("EXISTS", "yaml").map(n -> (Long) n).orElseThrow());
      try (var second = apps.server().connect()) {
        second.call("SELECT", "2");
        Await.until(
            "the watchdog has renewed it",
            () -> (Long) second.call("PTTL", "yaml").orElseThrow() > 1000);
      }
      assertTrue(lease.isValid());
    }
  }

  @Test
  @DisplayName(
      "A YAML file that is missing, wrong, or contradicted by settings is refused by its name")
  void yamlRefused() throws Exception {
    refused(CONFIG, CONFIG, folder.resolve("none.yaml").toString());
    Path wrong = Files.writeString(folder.resolve("wrong.yaml"), "singleServerConfig: [");
    refused(wrong.toString(), CONFIG, wrong.toString());
    String good = yaml(apps.server().uri());
    refused("lock.redis.database", CONFIG, good, "lock.redis.database", "3");
  }

  private static void refused(String words, String... settings) {
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> open(settings));
    assertTrue(e.getMessage().contains(words), e.getMessage());
  }

  @Test
  @DisplayName("Database, user, password and client name are used, from the address or beside it")
  void login() throws Exception {
    RedisServer server = apps.server();
    server.call("ACL", "SETUSER", "locks", "reset", "on", ">s cret+", "~*", "&*", "+@all");
    String host = server.host() + ":" + server.port();
    String uri = "redis://locks:s%20cret+@" + host + "/3";
    try (LockManager manager = open("lock.redis.uri", uri, "lock.redis.client-name", "orders");
        Lease lease = manager.lock("login").acquire()) {
      assertTrue(lease.isValid());
      assertEquals(0L, server.call("EXISTS", "login").orElseThrow(), "not in database 0");
      String clients = server.call("CLIENT", "LIST").orElseThrow().toString();
      assertTrue(
          clients
              .lines()
              .anyMatch(
                  c -> c.contains("name=orders") && c.contains("db=3") && c.contains("user=locks")),
          clients);
    }
    LockStoreException e =
        assertThrows(
            LockStoreException.class,
            () -> open("lock.redis.uri", "redis://locks:hunter2@" + host));
    assertEquals(Kind.REFUSED, e.kind(), e.getMessage());
    assertTrue(e.getMessage().contains("WRONGPASS"), e.getMessage());
    assertFalse(e.getMessage().contains("hunter2"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "fair"})
  @DisplayName("A user with few permissions is enough")
  void fewPermissions(String mode) throws Exception {
    RedisServer server = apps.server();
    String user =
        "ACL SETUSER few reset on >secret ~orders ~lh:* ~redisson_lock* resetchannels"
            + " &redisson_lock__channel:* "
            + PERMISSIONS
            + (mode.equals("fair") ? " " + FAIR_PERMISSIONS : "");
    server.call(user.split(" "));
    String uri = "redis://few:secret@" + server.host() + ":" + server.port();
    try (LockManager manager =
            open("lock.redis.uri", uri, "lock.redisson.mode", mode, "lock.lease", "1500ms");
        LockManager other = open("lock.redis.uri", uri, "lock.redisson.mode", mode)) {
      Lease lease = manager.lock("orders").acquire();
      CompletionStage<Lease> next = other.lock("orders").acquireAsync();
      Await.pass(Duration.ofSeconds(2)); // and so it is renewed
      assertTrue(lease.isValid());
      assertTrue(manager.lock("orders").inspect().isPresent());
      assertTrue(other.lock("orders").tryAcquire(Duration.ofSeconds(2)).isEmpty());
      lease.release();
      Await.value(next).release();
    }
    String refused = server.call("ACL", "LOG").orElseThrow().toString();
    refused = refused.replace("object, test1", ""); // Redisson's probe of what EVAL can do
    refused = refused.replace("object, mget", ""); // and one of Redisson 4.0
    assertFalse(refused.contains("object, "), refused);
  }

  @Test
  @DisplayName("A missing server is unreachable, reported within the time to connect")
  void nobody() {
    int port = Ports.free();
    LockStoreException e =
        assertThrows(
            LockStoreException.class, () -> open("lock.redis.uri", "redis://127.0.0.1:" + port));
    assertEquals(Kind.UNREACHABLE, e.kind());
    assertTrue(e.getMessage().contains(":" + port), e.getMessage());
  }

  @Test
  @DisplayName("A call whose connection breaks says which call, and on which server")
  void broken() throws Exception {
    try (RedisServer own = RedisServers.start();
        LockManager manager = open("lock.redis.uri", own.uri(), "lock.close-grace", "0s")) {
      Lease lease = manager.lock("orders").acquire();
      own.pause();
      CompletionStage<?> release = lease.releaseAsync();
      own.kill();
      LockStoreException e = assertThrows(LockStoreException.class, () -> Await.value(release));
      assertEquals(Kind.UNREACHABLE, e.kind());
      assertTrue(e.getMessage().startsWith("Could not release lock 'orders'"), e.getMessage());
      String where = " on Redis at 127.0.0.1:" + own.port() + ": the connection broke";
      assertTrue(e.getMessage().contains(where), e.getMessage());
    }
  }

  @Test
  @DisplayName("TLS: trust, a client certificate, and what is verified")
  void tls() throws Exception {
    TlsFiles files = TlsFiles.create();
    String certificate = files.certificate().toString();
    try (RedisServer strict = RedisServers.start(ServerOptions.defaults().withTls(files))) {
      String uri = "rediss://127.0.0.1:" + strict.port();
      LockStoreException e =
          assertThrows(
              LockStoreException.class,
              () ->
                  open(
                      "lock.redis.uri",
                      uri,
                      "lock.redis.tls.verify",
                      "full",
                      "lock.redis.connect-timeout",
                      "20s"));
      assertTrue(e.getMessage().contains("PKIX"), e.getMessage());
      for (String verify : List.of("full", "ca", "none")) {
        try (LockManager manager =
                open(
                    "lock.redis.uri",
                    uri,
                    "lock.redis.tls.trust-file",
                    certificate,
                    "lock.redis.tls.certificate-file",
                    certificate,
                    "lock.redis.tls.key-file",
                    files.key().toString(),
                    "lock.redis.tls.verify",
                    verify,
                    "lock.redis.connect-timeout",
                    "20s");
            Lease lease = manager.lock("tls").acquire()) {
          assertTrue(lease.isValid());
          assertTrue(manager.lock("tls").acquireAsync().toCompletableFuture().cancel(true));
        }
      }
    }
  }

  @Test
  @DisplayName("A server that may evict is refused, unless that is allowed")
  void eviction() {
    apps.server().call("CONFIG", "SET", "maxmemory", "100mb");
    apps.server().call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    refused("allow-eviction", "lock.redis.uri", apps.server().uri());
    open("lock.redis.uri", apps.server().uri(), "lock.redis.allow-eviction", "true").close();
  }

  @Test
  @DisplayName("On a client that is handed in, nothing is sent before a manager is built")
  void opensWithoutSending() {
    RespProxy proxy = apps.closing(RespProxy.inFrontOf(apps.server()));
    RedissonClient client = apps.redisson(proxy.uri(), ConnectionTest::withoutPings);
    ActiveFault sent = proxy.every(CommandMatch.any(), CommandFault.delayReply(Duration.ZERO));
    LeaseStore store = RedissonLocks.over(client).open();
    LeaseStore careless = RedissonLocks.over(client).allowEviction().open();
    assertEquals(0, sent.hits());
    apps.closing(LockManager.over(careless).build());
    assertEquals(2, sent.hits(), "whether scripts may be run");
    apps.closing(LockManager.over(store).build());
    assertEquals(5, sent.hits(), "that, and whether keys may be evicted");
  }

  /** A client that is idle for long sends one by itself. */
  private static Config withoutPings(Config config) {
    config.useSingleServer().setPingConnectionInterval(0);
    return config;
  }

  @Test
  @DisplayName("No thread of a client of our own stays")
  void threadsEnd() throws Exception {
    long before = threads();
    open("lock.redis.uri", apps.server().uri()).close();
    Await.until("they have ended", Duration.ofSeconds(5), () -> threads() <= before);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith("redisson"))
        .count();
  }
}
