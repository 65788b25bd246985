package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.MultiLockStore.Answer;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the script does with the keys is looked at here, and in redis-set's tests of the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("Several names in one step, on a store whose calls each use their own connection")
class SetnxTogetherTest {
  private static final LeaseKey X = new LeaseKey("x", "a:1");
  private static final LeaseKey Y = new LeaseKey("y", "a:2");
  private static final LeaseKey THEIRS = new LeaseKey("y", "b:1");

  private RedisServer server;
  private Ops ops;

  @BeforeAll
  void start() {
    server = RedisServers.start();
    ops = Ops.open(server.uri());
  }

  @AfterAll
  void stop() {
    ops.close();
    server.close();
  }

  @AfterEach
  void empty() {
    server.call("FLUSHALL");
  }

  private Answer take(List<LeaseKey> keys, LeaseKey... beside) {
    List<AcquireRequest> requests =
        keys.stream().map(key -> new AcquireRequest(key, TTL, IfHeld.REFUSE)).toList();
    return Await.value(((MultiLockStore) ops.store()).acquireAll(requests, List.of(beside)));
  }

  private static long fence(Answer answer) {
    return ((Answer.Granted) answer).fence().orElseThrow();
  }

  private static Set<Integer> refused(Answer answer) {
    return ((Answer.Refused) answer).held().keySet();
  }

  private String get(String key) {
    return server.call("GET", key).map(Object::toString).orElse("");
  }

  private long count(String... keys) {
    String[] words = new String[keys.length + 1];
    words[0] = "EXISTS";
    System.arraycopy(keys, 0, words, 1, keys.length);
    return (Long) server.call(words).orElseThrow();
  }

  private static LockManager manager(String uri) {
    return LockManager.open(
        LockSettings.of(Map.of("lock.backend", "redis-setnx", "lock.redis.uri", uri)));
  }

  @Test
  @DisplayName("Eight names take one script to acquire and one to release, and have one token")
  void eightNames() throws Exception {
    String[] names = IntStream.range(0, 8).mapToObj(i -> "n" + i).toArray(String[]::new);
    try (LockManager locks = manager(server.uri())) {
      assertTrue(locks.guarantees().contains(Guarantee.TOGETHER));
      locks.all("warm", "up").acquire().release();
      server.call("CONFIG", "RESETSTAT");
      Lease lease = locks.all(names).acquire();
      String stats = server.call("INFO", "commandstats").orElseThrow().toString();
      assertTrue(stats.contains("cmdstat_evalsha:calls=1,"), stats);
      for (String name : names) {
        assertEquals(Long.toString(lease.fencingToken()), get("lh:{" + name + "}:fence"));
        assertTrue((Long) server.call("PTTL", "lh:{" + name + "}").orElseThrow() > 20_000);
      }
      lease.release();
      stats = server.call("INFO", "commandstats").orElseThrow().toString();
      assertTrue(stats.contains("cmdstat_evalsha:calls=2,"), stats);
      for (String name : names) {
        assertEquals(0, count("lh:{" + name + "}"));
      }
    }
  }

  @Test
  @DisplayName("All or none are acquired; each is then a lease of its own")
  void allOrNone() {
    long theirs = ops.fence(THEIRS);
    assertEquals(Set.of(1), refused(take(List.of(X, Y))));
    assertEquals(0, count("lh:{x}", "lh:{x}:fence"));
    ops.release(THEIRS);
    long token = fence(take(List.of(X, Y)));
    assertTrue(token > theirs);
    assertEquals(token, fence(take(List.of(X, Y))), "asked again");
    assertEquals(ReleaseResult.RELEASED, ops.release(Y));
    assertTrue(fence(take(List.of(Y), X)) > token, "beside what is held");
    assertEquals(ReleaseResult.RELEASED, ops.release(X));
    assertEquals(Set.of(1), refused(take(List.of(new LeaseKey("z", "a:3")), X)));
    assertEquals(0, count("lh:{x}", "lh:{z}"));
    assertEquals(ReleaseResult.RELEASED, ops.release(Y));
  }

  @Test
  @DisplayName("A reply that is lost leaves none of them held, and leaves word for each")
  void lostReply() throws Exception {
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        LockManager locks = manager("redis://" + proxy.host() + ":" + proxy.port())) {
      locks.all("x", "y").acquire().release();
      assertFalse(keys().contains(":gone:"));
      try (ActiveFault cut =
          proxy.next(1, CommandMatch.named("EVALSHA"), CommandFault.cutAfter())) {
        assertThrows(LockStoreException.class, () -> locks.all("x", "y").tryAcquire());
        assertEquals(1, cut.hits());
      }
      Await.until("both are given back", () -> count("lh:{x}", "lh:{y}") == 0);
      Await.until(
          "word is left", () -> keys().contains("lh:{x}:gone:") && keys().contains("lh:{y}:gone:"));
      locks.all("y", "x").tryAcquire().orElseThrow().release();
    }
  }

  @Test
  @DisplayName("In a combined release, a marker is left for a lock whose request may still arrive")
  void mayComeYet() throws Exception {
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        Ops mine = Ops.open("redis://" + proxy.host() + ":" + proxy.port())) {
      mine.fence(THEIRS);
      mine.release(THEIRS);
      try (ActiveFault cut =
          proxy.next(1, CommandMatch.named("EVALSHA"), CommandFault.cutAfter())) {
        assertThrows(LockStoreException.class, () -> mine.acquire(X));
        assertEquals(1, cut.hits());
      }
      mine.fence(X);
      mine.fence(Y);
      assertEquals(List.of(ReleaseResult.RELEASED, ReleaseResult.RELEASED), mine.releaseAll(X, Y));
      assertEquals(0, count("lh:{x}", "lh:{y}", "lh:{y}:gone:a:2"));
      assertEquals(1, count("lh:{x}:gone:a:1"));
      assertThrows(LockStoreException.class, () -> mine.acquire(X));
    }
  }

  private String keys() {
    return server.call("KEYS", "*").orElseThrow().toString();
  }

  @Test
  @DisplayName("A waiter is woken, and has one token")
  void whoHadToWait() throws Exception {
    try (LockManager mine = manager(server.uri());
        LockManager theirs = manager(server.uri())) {
      // Neither the end of a lease nor a question now and then explains why it is quick.
      Duration late = Duration.ofMinutes(1);
      LockOptions patient = LockOptions.builder().waitStrategy(WaitStrategy.every(late)).build();
      Lease held = theirs.lock("y", LockOptions.fixed(late)).acquire();
      CompletableFuture<Lease> asked =
          mine.all(List.of("x", "y"), patient).acquireAsync().toCompletableFuture();
      Await.until("it waits for the held one", () -> count("lh:{y}:wait") == 1);
      assertEquals(0, count("lh:{x}", "lh:{x}:wait"), "it holds nothing");
      long before = held.fencingToken();
      held.release();
      Lease lease = Await.value(asked);
      assertTrue(lease.fencingToken() > before);
      assertEquals(get("lh:{x}:fence"), get("lh:{y}:fence"));
      assertTrue(theirs.lock("x").tryAcquire().isEmpty());
      lease.release();
    }
  }
}
