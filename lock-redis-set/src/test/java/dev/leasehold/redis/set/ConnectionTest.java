package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.event.connection.ReconnectAttemptEvent;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** Users, databases, names, clients that were handed in, and servers that do not answer. */
class ConnectionTest {
  private static final LeaseKey A = new LeaseKey("x", "a:1");
  private static final LeaseKey B = new LeaseKey("x", "b:2");
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = ServerKind.EMBEDDED.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    server.admin().flushall();
  }

  /** All that the fenced mode needs, and no more. */
  @Test
  void aUserWithFewPermissionsIsEnough() throws InterruptedException {
    server.call(
        "ACL", "SETUSER", "locks", "reset", "on", ">secret", "~lh:*", "resetchannels", "&lh:*");
    server.call(
        ("ACL SETUSER locks +hello +ping +info +client|setname +client|setinfo +evalsha +eval +get"
                + " +set +del +exists +pttl +pexpire +time +zadd +zrem +zrange +publish"
                + " +subscribe")
            .split(" "));
    try (StoreOps store =
        StoreOps.open(
            Map.of(
                "lock.redis.uri", server.uri(),
                "lock.redis.username", "locks",
                "lock.redis.password", "secret"))) {
      CountDownLatch woken = new CountDownLatch(1);
      assertInstanceOf(Granted.class, store.acquire(A));
      store.watch(B, woken::countDown);
      assertInstanceOf(Held.class, store.acquire(B, StoreOps.TTL, IfHeld.ENQUEUE));
      assertEquals(RenewResult.RENEWED, store.renew(A, Duration.ofMinutes(1)));
      assertTrue(store.inspect("x").isPresent());
      assertEquals(ReleaseResult.PASSED_ON, store.release(A));
      assertTrue(woken.await(5, TimeUnit.SECONDS));
      assertInstanceOf(Granted.class, store.acquire(B, StoreOps.TTL, IfHeld.ENQUEUE));
      store.leave(A);
    }
  }

  @Test
  void aUserWithoutPermissionGetsTheServersWords() {
    server.call("ACL", "SETUSER", "none", "reset", "on", ">secret", "~other:*", "+@all");
    try (StoreOps store =
        StoreOps.open(Map.of("lock.redis.uri", "redis://none:secret@127.0.0.1:" + server.port()))) {
      LockStoreException e = assertThrows(LockStoreException.class, () -> store.acquire(A));
      assertEquals(Kind.REFUSED, e.kind());
      assertTrue(e.getMessage().contains("NOPERM"), e.getMessage());
    }
  }

  @Test
  void aWrongPasswordIsRefusedInTheServersWordsAndNotShown() {
    server.call(
        "ACL",
        "SETUSER",
        "locks",
        "reset",
        "on",
        ">secret",
        "~lh:*",
        "resetchannels",
        "&lh:*",
        "+@all");
    Map<String, String> settings =
        Map.of("lock.redis.uri", "redis://locks:hunter2@127.0.0.1:" + server.port());
    LockStoreException e = assertThrows(LockStoreException.class, () -> StoreOps.open(settings));
    assertEquals(Kind.REFUSED, e.kind());
    assertTrue(e.getMessage().contains("WRONGPASS"), e.getMessage());
    assertFalse(e.getMessage().contains("hunter2"), e.getMessage());
  }

  @Test
  void nobodyThereIsUnreachable() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    LockStoreException e =
        assertThrows(
            LockStoreException.class,
            () -> StoreOps.open(Map.of("lock.redis.uri", "redis://127.0.0.1:" + port)));
    assertEquals(Kind.UNREACHABLE, e.kind());
    assertTrue(e.getMessage().contains(":" + port), e.getMessage());
  }

  @Test
  void somebodyWhoDoesNotAnswerIsUnreachableInTime() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      long begin = System.nanoTime();
      Map<String, String> settings =
          Map.of(
              "lock.redis.uri",
              "redis://127.0.0.1:" + silent.getLocalPort(),
              "lock.redis.connect-timeout",
              "200ms");
      assertThrows(LockStoreException.class, () -> StoreOps.open(settings));
      assertTrue(System.nanoTime() - begin < Duration.ofSeconds(10).toNanos());
    }
  }

  @Test
  void aWrongUriIsAnErrorThatTellsWhatIsAllowedButNoPassword() {
    LockConfigurationException e =
        assertThrows(
            LockConfigurationException.class,
            () -> StoreOps.open(Map.of("lock.redis.uri", "http://u:hunter2@host")));
    assertTrue(e.getMessage().contains("lock.redis.uri"), e.getMessage());
    assertTrue(e.getMessage().contains("rediss://"), e.getMessage());
    assertFalse(e.getMessage().contains("hunter2"), e.getMessage());
  }

  @Test
  void settingsThatDoNotGoTogetherAreErrors() {
    for (String key :
        new String[] {"lock.redis.username", "lock.redis.tls.key-file", "lock.redis.tls.verify"}) {
      String value = key.endsWith("verify") ? "none" : "u";
      LockConfigurationException e =
          assertThrows(LockConfigurationException.class, () -> StoreOps.open(Map.of(key, value)));
      assertTrue(e.getMessage().contains(key), e.getMessage());
    }
    Map<String, String> cluster = Map.of("lock.redis.cluster", "true", "lock.redis.database", "3");
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> StoreOps.open(cluster));
    assertTrue(e.getMessage().contains("lock.redis.database = '3'"), e.getMessage());
  }

  @Test
  void replicasNeedLessTimeThanACommandMayTake() {
    Map<String, String> settings =
        Map.of(
            "lock.redis.uri", server.uri(),
            "lock.redis-set.wait-replicas", "1",
            "lock.redis-set.wait-timeout", "2s");
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> StoreOps.open(settings));
    assertTrue(e.getMessage().contains("lock.redis-set.wait-timeout = 2s"), e.getMessage());
    assertTrue(e.getMessage().contains("lock.command-timeout = 2s"), e.getMessage());
  }

  @Test
  void aValueOutOfRangeIsAnErrorThatNamesIt() {
    for (String key :
        new String[] {
          "lock.redis.database",
          "lock.redis.client-name",
          "lock.redis-set.mode",
          "lock.redis-set.wait-replicas",
          "lock.redis-set.wait-timeout",
          "lock.redis.connect-timeout",
          "lock.redis.cluster",
          "lock.redis.allow-eviction",
          "lock.redis.fair",
          "lock.redis.tls.verify"
        }) {
      LockConfigurationException e =
          assertThrows(LockConfigurationException.class, () -> StoreOps.open(Map.of(key, "- -")));
      assertTrue(e.getMessage().contains(key + " = '- -'"), e.getMessage());
    }
  }

  @Test
  void databaseAndClientNameAreUsed() {
    try (StoreOps store =
        StoreOps.open(
            Map.of(
                "lock.redis.uri", server.uri(),
                "lock.redis.database", "3",
                "lock.redis.client-name", "orders"))) {
      store.acquire(A);
      assertEquals(0L, server.admin().dbsize(), "not in database 0");
      assertTrue(
          server
              .admin()
              .clientList()
              .lines()
              .anyMatch(l -> l.contains("name=orders") && l.contains("db=3")));
    }
  }

  @Test
  void anApplicationsClientIsUsedAndNotClosed() {
    RedisClient client = RedisClient.create();
    RedisURI uri = RedisURI.create(server.uri() + "?clientName=handed-in");
    try (StoreOps store = new StoreOps(RedisSetLocks.over(client, uri).open())) {
      store.watch(B, () -> {});
      assertInstanceOf(Granted.class, store.acquire(A));
      assertEquals(2, connections("handed-in"));
    }
    Await.until("its connections are gone", () -> connections("handed-in") == 0);
    try (StatefulRedisConnection<String, String> alive = client.connect(uri)) {
      assertEquals("PONG", alive.sync().ping());
    } finally {
      client.shutdown();
    }
  }

  @Test
  void withoutANameOfItsOwnAnApplicationsClientShowsTheLabel() throws InterruptedException {
    RedisClient client = RedisClient.create();
    RedisURI uri = RedisURI.create(server.uri());
    try (LockManager locks =
            LockManager.over(RedisSetLocks.over(client, uri).open()).label("shown").build();
        Lease held = locks.lock("shown").acquire()) {
      server.call("SET", "lh:{others}", "other:holder", "PX", "60000");
      CompletableFuture<Lease> waits =
          locks.lock("others").acquireAsync().toCompletableFuture(); // so that it listens
      Await.until("both have the name", () -> connections("shown") == 2);
      server.call("CLIENT", "KILL", "TYPE", "pubsub");
      server.call("CLIENT", "KILL", "TYPE", "normal");
      Await.until("they come back with it", () -> connections("shown") == 2);
      assertTrue(held.isValid());
      waits.cancel(false);
      // The server shows the name before the client has read the answer, and takes commands again.
      Await.until("its commands go out again", () -> extended(held));
    } finally {
      client.shutdown();
    }
    assertNull(uri.getClientName(), "the application's own address is as it was");
  }

  private static boolean extended(Lease held) {
    try {
      return held.extend(Duration.ofMinutes(5));
    } catch (LockStoreException notYet) {
      return false;
    }
  }

  /** What Lettuce says of each attempt, since waiting for the later ones takes too long. */
  @Test
  void afterAnOutageAnApplicationsClientIsTriedAgainSoon() throws InterruptedException {
    RedisClient client = RedisClient.create();
    BlockingQueue<Duration> pauses = new LinkedBlockingQueue<>();
    Disposable listening =
        client
            .getResources()
            .eventBus()
            .get()
            .ofType(ReconnectAttemptEvent.class)
            .subscribe(attempt -> pauses.add(attempt.getDelay()));
    try (TestServer own = ServerKind.EMBEDDED.start();
        StoreOps store =
            new StoreOps(RedisSetLocks.over(client, RedisURI.create(own.uri())).open())) {
      assertInstanceOf(Granted.class, store.acquire(A));
      own.kill();
      for (int attempt = 1; attempt <= 12; attempt++) { // the 12th would be 2 s after the 11th
        Duration pause = pauses.poll(30, TimeUnit.SECONDS);
        assertTrue(
            pause != null && pause.compareTo(Clients.LONGEST_PAUSE) <= 0,
            "attempt " + attempt + " after " + pause);
      }
      own.restartEmpty();
      Await.until("it is back", () -> isGranted(store));
    } finally {
      listening.dispose();
      client.shutdown();
    }
  }

  private static boolean isGranted(StoreOps store) {
    try {
      return store.acquire(A) instanceof Granted;
    } catch (LockStoreException notYet) {
      return false;
    }
  }

  private static long connections(String name) {
    return server.admin().clientList().lines().filter(l -> l.contains("name=" + name)).count();
  }

  @Test
  void plainModeOverAnApplicationsClient() {
    RedisClient client = RedisClient.create();
    try (StoreOps store =
        new StoreOps(
            RedisSetLocks.over(client, RedisURI.create(server.uri()))
                .mode(RedisSetMode.PLAIN)
                .open())) {
      assertInstanceOf(Granted.class, store.acquire(A));
      assertEquals("a:1", server.admin().get("x"));
    } finally {
      client.shutdown();
    }
  }

  @Test
  void aManagerOverAnApplicationsClientInOneCall() {
    RedisClient client = RedisClient.create();
    RedisURI uri = RedisURI.create(server.uri() + "?clientName=one-call");
    try (LockManager locks = RedisSetLocks.over(client, uri).manager()) {
      try (Lease lease = locks.lock("one-call").tryAcquire().orElseThrow()) {
        assertTrue(lease.isValid());
        assertTrue(connections("one-call") > 0);
      }
    }
    Await.until("its connections are gone", () -> connections("one-call") == 0);
    client.shutdown();
  }

  /** On each Lettuce that is tested: the hooks by which it is left out are still asked. */
  @Test
  void whatALockNeverCallsIsNotMade() {
    ClientResources resources = Clients.resources();
    AsyncClient client = new AsyncClient(resources);
    RedisURI uri = RedisURI.create(server.uri());
    try {
      assertNull(client.connect(ByteArrayCodec.INSTANCE, uri).sync());
      assertNull(client.connectPubSub(ByteArrayCodec.INSTANCE, uri).sync());
    } finally {
      Clients.end(client);
      Clients.shutDown(resources);
    }
  }
}
