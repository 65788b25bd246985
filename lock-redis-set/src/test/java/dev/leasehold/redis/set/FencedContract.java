package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Waiting;
import dev.leasehold.lock.spi.Watch;
import io.lettuce.core.KillArgs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The contract of {@link dev.leasehold.lock.spi.LeaseStore}, looked at from the server's side. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FencedContract {
  private static final LeaseKey A = new LeaseKey("x", "a:1");
  private static final LeaseKey B = new LeaseKey("x", "b:2");
  private static final LeaseKey C = new LeaseKey("x", "c:3");

  private TestServer server;
  private StoreOps store;
  private StoreOps other;

  abstract ServerKind kind();

  @BeforeAll
  void start() {
    server = kind().start();
    store = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
    other = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
  }

  @AfterAll
  void stop() {
    if (server == null) {
      return; // not run: no such server here
    }
    store.close();
    other.close();
    server.close();
  }

  @BeforeEach
  void empty() {
    server.admin().flushall();
  }

  @Test
  void aFreeLockIsGrantedWithATokenATtlAndAFence() {
    Granted granted = assertInstanceOf(Granted.class, store.acquire(A));
    assertEquals("a:1", server.admin().get("lh:{x}"));
    assertTrue(server.admin().pttl("lh:{x}") > 9_000);
    long micros = Long.parseLong(server.admin().time().get(0)) * 1_000_000;
    long fence = granted.fence().orElseThrow();
    assertTrue(Math.abs(fence - micros) < 60_000_000, "a fence is about the time: " + fence);
    assertEquals(Long.toString(fence), server.admin().get("lh:{x}:fence"));
    assertTrue(server.admin().pttl("lh:{x}:fence") > 86_000_000, "and goes after a day");
    assertEquals(Set.of("lh:{x}", "lh:{x}:fence"), keys());
  }

  @Test
  void fencesIncreaseAlsoWithinOneMicrosecondAndFromAStoredOneThatIsAhead() {
    server.admin().set("lh:{x}:fence", "5000000000000000");
    assertEquals(5_000_000_000_000_001L, store.fence(A));
    assertEquals(ReleaseResult.RELEASED, store.release(A));
    assertEquals(5_000_000_000_000_002L, other.fence(B));
  }

  @Test
  void theSameTokenIsGrantedAgainWithItsFenceAndANewTtl() {
    long fence = store.fence(A);
    server.admin().pexpire("lh:{x}", 1000);
    assertEquals(fence, store.fence(A));
    assertTrue(server.admin().pttl("lh:{x}") > 9_000);
    server.admin().pexpire("lh:{x}", 60_000);
    assertEquals(fence, store.fence(A));
    assertTrue(server.admin().pttl("lh:{x}") > 50_000, "a repeated request shortens nothing");
  }

  @Test
  void aRefusalWritesNothing() {
    store.acquire(A);
    server.admin().pexpire("lh:{x}", 5000);
    Set<String> before = keys();
    Held held = assertInstanceOf(Held.class, other.acquire(B));
    long millis = held.retryAfter().toMillis();
    assertTrue(millis > 4_000 && millis <= 5_000, "rest of the holder's lease: " + millis);
    assertEquals(before, keys());
    assertTrue(server.admin().pttl("lh:{x}") <= 5_000, "the holder's time is not touched");
  }

  @Test
  void aRefusalThatWaitsWritesItsPlaceAndKeepsItWhenItAsksAgain() {
    store.acquire(A);
    other.acquire(B, StoreOps.TTL, Waiting.YES);
    other.acquire(C, StoreOps.TTL, Waiting.YES);
    List<String> line = server.admin().zrange("lh:{x}:wait", 0, -1);
    assertEquals(2, line.size());
    assertTrue(line.get(0).endsWith(":b:2") && line.get(1).endsWith(":c:3"), "by arrival: " + line);
    double score = server.admin().zscore("lh:{x}:wait", line.get(0));
    other.acquire(B, StoreOps.TTL, Waiting.YES);
    assertEquals(score, server.admin().zscore("lh:{x}:wait", line.get(0)));
    long ttl = server.admin().pttl("lh:{x}:wait");
    assertTrue(ttl > 0 && ttl <= 150_000, "nothing stays for ever: " + ttl);
  }

  @Test
  void aGrantTakesTheTokenOffTheLine() {
    store.acquire(A);
    other.acquire(B, StoreOps.TTL, Waiting.YES);
    server.admin().del("lh:{x}");
    assertInstanceOf(Granted.class, other.acquire(B, StoreOps.TTL, Waiting.NO));
    assertEquals(0, server.admin().exists("lh:{x}:wait"));
  }

  @Test
  void aForeignKeyWithoutAnEndIsHeldForABoundedTime() {
    server.admin().set("lh:{x}", "somebody");
    Held held = assertInstanceOf(Held.class, store.acquire(A));
    assertEquals(Duration.ofSeconds(1), held.retryAfter());
    assertEquals("somebody", server.admin().get("lh:{x}"));
  }

  @Test
  void releaseAndRenewalCompareTheToken() {
    store.acquire(A);
    assertEquals(ReleaseResult.NOT_OWNER, other.release(B));
    assertEquals(RenewResult.NOT_OWNER, other.renew(B, Duration.ofMinutes(1)));
    assertEquals("a:1", server.admin().get("lh:{x}"));
    assertTrue(server.admin().pttl("lh:{x}") <= 10_000);
    assertEquals(RenewResult.RENEWED, store.renew(A, Duration.ofMinutes(1)));
    assertTrue(server.admin().pttl("lh:{x}") > 59_000);
    assertEquals(RenewResult.RENEWED, store.renew(A, Duration.ofSeconds(5)));
    assertTrue(server.admin().pttl("lh:{x}") > 50_000, "never shortened");
    assertEquals(ReleaseResult.RELEASED, store.release(A));
    assertEquals(ReleaseResult.NOT_OWNER, store.release(A));
    assertEquals(RenewResult.NOT_OWNER, store.renew(A, StoreOps.TTL), "nor brought back");
  }

  @Test
  void manyRenewalsGoInFewScriptsAndEachHasItsOwnAnswer() {
    List<RenewRequest> batch = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      LeaseKey key = new LeaseKey("n" + i, "t:" + i);
      if (i % 3 == 0) {
        store.acquire(key);
      } else if (i % 3 == 1) {
        server.admin().lpush("lh:{n" + i + "}", "no lock");
      }
      batch.add(new RenewRequest(key, Duration.ofMinutes(1)));
    }
    server.admin().configResetstat();
    List<CompletionStage<RenewResult>> results = store.store().renew(batch);
    for (int i = 0; i < 600; i++) {
      CompletionStage<RenewResult> result = results.get(i);
      if (i % 3 == 1) {
        LockStoreException e =
            assertThrows(LockStoreException.class, () -> StoreOps.get(result), "lease " + i);
        assertTrue(e.getMessage().contains("WRONGTYPE"), e.getMessage());
      } else {
        assertEquals(
            i % 3 == 0 ? RenewResult.RENEWED : RenewResult.NOT_OWNER, StoreOps.get(result));
      }
    }
    assertTrue(server.admin().pttl("lh:{n0}") > 59_000);
    String stats = server.admin().info("commandstats");
    assertTrue(stats.contains("cmdstat_evalsha:calls=3,"), stats);
  }

  @Test
  void inspectTellsTokenTimeAndFence() {
    assertEquals(Optional.empty(), store.inspect("x"));
    long fence = store.fence(A);
    StoredLease seen = other.inspect("x").orElseThrow();
    assertEquals("a:1", seen.token());
    assertEquals(fence, seen.fence().orElseThrow());
    assertTrue(seen.remaining().toMillis() > 9_000 && seen.remaining().toMillis() <= 10_000);
  }

  @Nested
  class WakeUps {
    private final AtomicInteger wokenB = new AtomicInteger();
    private final AtomicInteger wokenC = new AtomicInteger();
    private final List<Watch> watches = new ArrayList<>();

    @AfterEach
    void end() {
      watches.forEach(Watch::close);
    }

    private void waiting(StoreOps who, LeaseKey key, AtomicInteger woken) {
      watches.add(who.watch(key, woken::incrementAndGet));
      assertInstanceOf(Held.class, who.acquire(key, StoreOps.TTL, Waiting.YES));
      woken.set(0);
    }

    @Test
    @DisplayName("a release wakes the first waiter and no other")
    void wakesTheFirst() {
      store.acquire(A);
      waiting(other, B, wokenB);
      try (StoreOps third = StoreOps.open(Map.of("lock.redis.uri", server.uri()))) {
        waiting(third, C, wokenC);
        assertEquals(ReleaseResult.RELEASED_AND_WOKE, store.release(A));
        Await.until(() -> wokenB.get() == 1);
        assertEquals(1, server.admin().zcard("lh:{x}:wait"), "the woken one is off the line");
        assertEquals(0, wokenC.get());
      }
    }

    @Test
    @DisplayName("a waiter that is gone is passed over")
    void passesOverTheDead() {
      store.acquire(A);
      try (StoreOps third = StoreOps.open(Map.of("lock.redis.uri", server.uri()))) {
        waiting(third, C, wokenC);
      }
      waiting(other, B, wokenB);
      Await.until(() -> server.admin().pubsubChannels("lh:wake:*").size() == 1);
      assertEquals(ReleaseResult.RELEASED_AND_WOKE, store.release(A));
      Await.until(() -> wokenB.get() == 1);
    }

    @Test
    @DisplayName("nobody listens: the lock is free and the line empty")
    void nobody() {
      store.acquire(A);
      other.acquire(B, StoreOps.TTL, Waiting.YES);
      server.admin().clientKill(KillArgs.Builder.typePubsub());
      Await.until(() -> server.admin().pubsubChannels("lh:wake:*").isEmpty());
      ReleaseResult result = store.release(A);
      assertTrue(result != ReleaseResult.NOT_OWNER);
      assertEquals(0, server.admin().exists("lh:{x}", "lh:{x}:wait"));
    }

    @Test
    @DisplayName("who leaves a free lock passes the wake-up on")
    void leaves() {
      store.acquire(A);
      waiting(other, B, wokenB);
      other.acquire(C, StoreOps.TTL, Waiting.YES);
      server.admin().del("lh:{x}");
      other.leave(C);
      Await.until(() -> wokenB.get() == 1);
      assertEquals(0, server.admin().exists("lh:{x}:wait"));
    }

    @Test
    @DisplayName("who leaves a lock that is held wakes nobody")
    void leavesHeld() {
      store.acquire(A);
      // A store of its own: the other may still owe a wake-up for a connection killed before.
      try (StoreOps third = StoreOps.open(Map.of("lock.redis.uri", server.uri()))) {
        waiting(third, B, wokenB);
        third.acquire(C, StoreOps.TTL, Waiting.YES);
        third.leave(C);
        assertEquals(1, server.admin().zcard("lh:{x}:wait"));
        third.inspect("x");
        assertEquals(0, wokenB.get());
      }
    }

    @Test
    @DisplayName("a store that lost its subscription listens again and wakes every watch")
    void comesBack() {
      store.acquire(A);
      waiting(other, B, wokenB);
      server.admin().clientKill(KillArgs.Builder.typePubsub());
      Await.until(() -> wokenB.get() >= 1);
      wokenB.set(0);
      other.acquire(B, StoreOps.TTL, Waiting.YES);
      assertEquals(ReleaseResult.RELEASED_AND_WOKE, store.release(A));
      Await.until(() -> wokenB.get() == 1);
    }

    @Test
    @DisplayName("without a watch there is no second connection; with many there is one")
    void connections() {
      try (StoreOps third =
          StoreOps.open(Map.of("lock.redis.uri", server.uri() + "?clientName=third"))) {
        third.acquire(new LeaseKey("y", "t:1"));
        assertEquals(1, connectionsOf("third"));
        Watch one = third.watch(A, () -> {});
        Watch two = third.watch(new LeaseKey("y", "t:2"), () -> {});
        assertEquals(2, connectionsOf("third"));
        one.close();
        two.close();
      }
      Await.until(() -> connectionsOf("third") == 0);
    }

    private long connectionsOf(String name) {
      return server.admin().clientList().lines().filter(l -> l.contains("name=" + name)).count();
    }
  }

  @Nested
  class Errors {
    private LockStoreException failure() {
      return assertThrows(LockStoreException.class, () -> store.acquire(A));
    }

    @Test
    void wrongTypeOfTheLock() {
      server.admin().lpush("lh:{x}", "no lock");
      LockStoreException e = failure();
      assertEquals(Kind.REFUSED, e.kind());
      assertTrue(e.getMessage().contains("WRONGTYPE") && e.getMessage().contains("'x'"));
      assertEquals(Set.of("lh:{x}"), keys());
    }

    @Test
    void wrongTypeOfTheFenceLeavesNoLockBehind() {
      server.admin().lpush("lh:{x}:fence", "no fence");
      assertEquals(Kind.REFUSED, failure().kind());
      assertEquals(Set.of("lh:{x}:fence"), keys());
      server.admin().del("lh:{x}:fence");
      server.admin().set("lh:{x}:fence", "no number");
      assertTrue(failure().getMessage().contains("no number"));
      assertEquals(Set.of("lh:{x}:fence"), keys());
    }

    @Test
    void outOfMemory() {
      server.admin().configSet("maxmemory", "1");
      try {
        LockStoreException e = failure();
        assertEquals(Kind.UNAVAILABLE, e.kind());
        assertTrue(e.getMessage().contains("OOM"), e.getMessage());
        assertEquals(Set.of(), keys());
      } finally {
        server.admin().configSet("maxmemory", "0");
      }
      assertInstanceOf(Granted.class, store.acquire(A));
    }

    @Test
    void outOfMemoryAHolderCanStillRenewAndRelease() {
      store.acquire(A);
      server.admin().configSet("maxmemory", "1");
      try {
        assertEquals(RenewResult.RENEWED, store.renew(A, Duration.ofMinutes(1)));
        assertEquals(ReleaseResult.RELEASED, store.release(A));
      } finally {
        server.admin().configSet("maxmemory", "0");
      }
    }

    @Test
    void aWrongLineOfWaitersDoesNotKeepALockFromBeingFreed() {
      store.acquire(A);
      server.admin().set("lh:{x}:wait", "no line");
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      assertFalse(keys().contains("lh:{x}"));
    }

    @Test
    void scriptsAreSentAgainAfterAFlush() {
      store.acquire(A);
      server.admin().scriptFlush();
      assertEquals(RenewResult.RENEWED, store.renew(A, StoreOps.TTL));
      assertTrue(store.inspect("x").isPresent());
      assertInstanceOf(Held.class, other.acquire(B, StoreOps.TTL, Waiting.YES));
      other.leave(B);
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      server.admin().scriptFlush();
      assertInstanceOf(Granted.class, store.acquire(A));
    }
  }

  @Test
  void namesOfAnyCharactersNeverShareAKey() {
    List<String> names =
        List.of(
            "x",
            " x",
            "x ",
            "{x}",
            "}",
            "{",
            "{}",
            "a{b}c",
            "%7B",
            "%",
            "%25",
            "x:fence",
            "x}:fence",
            "x}:wait",
            "*",
            "?",
            "[x]",
            "\n",
            "\r\n",
            "\0",
            "ä",
            "日本語",
            "\uD83D\uDD12",
            "\u00e9",
            "e\u0301",
            "lh:{x}",
            "x".repeat(512));
    for (int i = 0; i < names.size(); i++) {
      LeaseKey key = new LeaseKey(names.get(i), "t:" + i);
      assertInstanceOf(Granted.class, store.acquire(key), () -> "'" + key.name() + "' is free");
    }
    for (int i = 0; i < names.size(); i++) {
      assertEquals("t:" + i, store.inspect(names.get(i)).orElseThrow().token());
    }
    assertEquals(2 * names.size(), keys().size());
  }

  @Test
  void wakeUpsReachNamesOfAnyCharacters() throws InterruptedException {
    for (String name : List.of("a{b}c", "%7B", "\n", "\0", "日本語", "a b:c")) {
      LeaseKey holder = new LeaseKey(name, "a:1");
      LeaseKey waiter = new LeaseKey(name, "b:2");
      CountDownLatch woken = new CountDownLatch(1);
      store.acquire(holder);
      Watch watch = other.watch(waiter, woken::countDown);
      other.acquire(waiter, StoreOps.TTL, Waiting.YES);
      assertEquals(ReleaseResult.RELEASED_AND_WOKE, store.release(holder));
      assertTrue(woken.await(5, TimeUnit.SECONDS), name);
      watch.close();
    }
  }

  private Set<String> keys() {
    return new TreeSet<>(server.admin().keys("*"));
  }
}
