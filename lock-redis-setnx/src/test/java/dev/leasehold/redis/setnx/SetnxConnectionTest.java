package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.key;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.redis.setnx.JedisConnections.Limits;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.Ports;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import dev.leasehold.testkit.server.TlsFiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;

@DisplayName("Addresses, users, TLS, and servers that do not answer")
class SetnxConnectionTest {
  private static final Executor ON_ITS_OWN = task -> new Thread(task).start();
  private static final Limits LIMITS = new Limits(4, Duration.ofSeconds(2));
  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServers.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http://u:hunter2@host | rediss://",
        "redis://:hunter2@ | rediss://",
        "redis-socket:///run/redis.sock | Unix sockets",
        "redis://a:1,b:2 | lock.redis.cluster = true",
        "redis-sentinel://a:1,b:2 | the primary's name is missing",
        "redis://a:1#primary | only Sentinels",
        "redis://a:70000 | from 1 to 65535",
        "redis://a:x | rediss://"
      })
  @DisplayName(
      "A wrong address is an error that names the key and what is allowed, but no" + " password")
  void wrongAddress(String uri, String words) {
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> Ops.open(uri));
    assertTrue(e.getMessage().contains("lock.redis.uri = '"), e.getMessage());
    assertTrue(e.getMessage().contains(words), e.getMessage());
    assertFalse(e.getMessage().contains("hunter2"), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "lock.redis.username, u",
    "lock.redis.tls.verify, none",
    "lock.redis.tls.key-file, f",
    "lock.redis.database, -1",
    "lock.redis.client-name, - -",
    "lock.redis-setnx.scheme, redlock",
    "lock.redis-setnx.clock, mine",
    "lock.redis-setnx.connections, 1"
  })
  @DisplayName("A setting that is wrong, or wrong beside the others, is named")
  void wrongSetting(String key, String value) {
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> Ops.open(server.uri(), key, value));
    assertTrue(e.getMessage().contains(key), e.getMessage());
  }

  @Test
  @DisplayName("Database, user, password and client name are used, from the address or beside it")
  void login() {
    server.call("ACL", "SETUSER", "locks", "reset", "on", ">s cret+", "~lh:*", "+@all");
    String host = server.host() + ":" + server.port();
    LeaseKey mine = key("login");
    try (Ops store =
            Ops.open("redis://locks:s%20cret+@" + host + "/3", "lock.redis.client-name", "orders");
        Ops beside =
            Ops.open(
                "redis://" + host,
                "lock.redis.username",
                "locks",
                "lock.redis.password",
                "s cret+",
                "lock.redis.database",
                "3")) {
      assertTrue(store.takes(mine));
      assertTrue(beside.inspect("login").isPresent());
      assertEquals(0L, server.call("EXISTS", "lh:{login}").orElseThrow(), "not in database 0");
      assertTrue(
          ClientList.named(server, "orders").contains("db=3"),
          () -> ClientList.named(server, "orders"));
      store.release(mine);
    }
    LockStoreException e =
        assertThrows(LockStoreException.class, () -> Ops.open("redis://locks:hunter2@" + host));
    assertEquals(Kind.REFUSED, e.kind());
    assertTrue(e.getMessage().contains("WRONGPASS"), e.getMessage());
    assertFalse(e.getMessage().contains("hunter2"), e.getMessage());
  }

  @Test
  @DisplayName("A user without permission to query eviction learns what to permit")
  void infoRefused() {
    server.call("ACL", "SETUSER", "blind", "reset", "on", ">secret", "~lh:*", "+@all", "-info");
    LockConfigurationException e =
        assertThrows(
            LockConfigurationException.class,
            () -> Ops.open("redis://blind:secret@" + server.host() + ":" + server.port()));
    assertTrue(e.getMessage().contains("permit the command INFO"), e.getMessage());
    assertTrue(e.getMessage().contains("NOPERM"), e.getMessage());
  }

  @Test
  @DisplayName("A missing server is unreachable")
  void nobody() {
    int port = Ports.free();
    LockStoreException e =
        assertThrows(LockStoreException.class, () -> Ops.open("redis://127.0.0.1:" + port));
    assertEquals(Kind.UNREACHABLE, e.kind());
    assertTrue(e.getMessage().contains(":" + port), e.getMessage());
  }

  @Test
  @DisplayName("TLS: trust, a client certificate, and what is verified")
  void tls() {
    TlsFiles files = TlsFiles.create();
    String certificate = files.certificate().toString();
    try (RedisServer strict = RedisServers.start(ServerOptions.defaults().withTls(files))) {
      String uri = "rediss://127.0.0.1:" + strict.port();
      LockStoreException e =
          assertThrows(
              LockStoreException.class, () -> Ops.open(uri, "lock.redis.tls.verify", "full"));
      assertTrue(e.getMessage().contains("PKIX"), e.getMessage());
      for (String verify : List.of("full", "ca", "none")) {
        try (Ops store =
            Ops.open(
                uri,
                "lock.redis.tls.trust-file",
                certificate,
                "lock.redis.tls.certificate-file",
                certificate,
                "lock.redis.tls.key-file",
                files.key().toString(),
                "lock.redis.tls.verify",
                verify)) {
          LeaseKey mine = key("tls");
          assertTrue(store.takes(mine));
          Await.value(store.store().watch(mine, () -> {})).close();
          assertEquals(ReleaseResult.RELEASED, store.release(mine));
        }
      }
      LockConfigurationException missing =
          assertThrows(
              LockConfigurationException.class,
              () -> Ops.open(uri, "lock.redis.tls.trust-file", "no-such-file.pem"));
      assertTrue(
          missing.getMessage().contains("lock.redis.tls.trust-file = 'no-such-file.pem'"),
          missing.getMessage());
      LockConfigurationException noKey =
          assertThrows(
              LockConfigurationException.class,
              () ->
                  Ops.open(
                      uri,
                      "lock.redis.tls.certificate-file",
                      certificate,
                      "lock.redis.tls.key-file",
                      certificate));
      assertTrue(noKey.getMessage().contains("BEGIN PRIVATE KEY"), noKey.getMessage());
    }
  }

  @Test
  @DisplayName("An exhausted pool of our own is reported after the time to connect, and recovers")
  void ownPoolUsedUp() {
    try (RedisServer own = RedisServers.start();
        Ops store =
            Ops.open(
                own.uri(),
                "lock.redis-setnx.connections",
                "2",
                "lock.redis.connect-timeout",
                "600ms")) {
      Await.value(store.store().watch(key("own-pool"), () -> {})); // has one of the two
      assertTrue(store.takes(key("own-pool"))); // and the other is connected
      own.call("CLIENT", "PAUSE", "1500", "ALL"); // longer than that, shorter than a command
      List<CompletableFuture<Boolean>> two = new ArrayList<>();
      for (String name : List.of("one", "another")) {
        two.add(CompletableFuture.supplyAsync(() -> store.takes(key(name)), ON_ITS_OWN));
      }
      List<Throwable> failures = new ArrayList<>();
      for (CompletableFuture<Boolean> each : two) {
        each.handle((taken, failure) -> failure == null || failures.add(failure)).join();
      }
      assertEquals(1, failures.size(), failures::toString);
      LockStoreException e = assertInstanceOf(LockStoreException.class, failures.get(0).getCause());
      assertEquals(Kind.UNAVAILABLE, e.kind());
      assertTrue(e.getMessage().contains("lock.redis-setnx.connections"), e.getMessage());
      assertTrue(store.takes(key("afterwards")));
    }
  }

  @Test
  @DisplayName("A server that is gone is named with its address")
  void gone() {
    try (RedisServer own = RedisServers.start();
        Ops store = Ops.open(own.uri())) {
      fill(store);
      own.kill();
      LockStoreException e =
          assertThrows(LockStoreException.class, () -> store.takes(key("meanwhile")));
      // On an idle connection that has not been found broken yet, or on a new one.
      String what = "(acquire lock 'meanwhile' on|connect to)";
      String where = "Could not " + what + " Redis at 127.0.0.1:" + own.port() + ": .*";
      assertTrue(e.getMessage().matches(where), e::getMessage);
    }
  }

  @Test
  @DisplayName("Connections of a server that was restarted cost one failed call at most")
  void restarted() {
    try (RedisServer own = RedisServers.start();
        Ops store = Ops.open(own.uri())) {
      fill(store);
      own.kill();
      own.restart(Data.LOSE);
      int failures = 0;
      for (int i = 0; i < 20; i++) {
        try {
          assertTrue(store.takes(key("restarted-" + i)));
        } catch (LockStoreException notYet) {
          failures++;
        }
      }
      assertTrue(failures <= 1, "failed calls: " + failures);
    }
  }

  /** Has several connections in the pool. */
  private static void fill(Ops store) {
    List<CompletableFuture<Boolean>> many = new ArrayList<>();
    CountDownLatch begin = new CountDownLatch(1);
    for (int i = 0; i < 8; i++) {
      LeaseKey one = key("fill-" + i);
      many.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  begin.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                return store.takes(one);
              },
              ON_ITS_OWN));
    }
    begin.countDown();
    many.forEach(one -> assertTrue(Await.value(one)));
  }

  @Test
  @DisplayName("A conversation that broke off leaves no transaction on a lent connection")
  void noTransactionIsLeft() {
    JedisClientConfig named = DefaultJedisClientConfig.builder().clientName("broke-off").build();
    HostAndPort address = new HostAndPort(server.host(), server.port());
    try (JedisRedis redis = new JedisServer(new ConnectionFactory(address, named), LIMITS)) {
      byte[] lock = {'x'};
      assertThrows(
          LockStoreException.class,
          () ->
              redis.talk(
                  "try",
                  "x",
                  lock,
                  conversation -> {
                    conversation.call(Command.of(Protocol.Command.MULTI));
                    throw new LockStoreException(Kind.TIMED_OUT, "in the middle");
                  }));
      redis.ping(); // else QUEUED
      Object reply =
          redis.talk(
              "try",
              "x",
              lock,
              conversation -> conversation.call(Command.of(Protocol.Command.PING)));
      assertEquals("PONG", new String((byte[]) reply, UTF_8), "and not QUEUED");
      Await.until("one is left", () -> ClientList.named(server, "broke-off").lines().count() == 1);
    }
  }

  @Test
  @DisplayName("Scripts that the server has forgotten are sent again")
  void forgottenScripts() {
    try (Ops store = Ops.open(server.uri())) {
      LeaseKey mine = key("forgotten");
      assertTrue(store.takes(mine));
      server.call("SCRIPT", "FLUSH");
      assertEquals(ReleaseResult.RELEASED, store.release(mine));
      server.call("SCRIPT", "FLUSH");
      assertTrue(store.takes(mine));
      store.release(mine);
    }
  }
}
