package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/** What each operation does, looked at from the server's side. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FencedSchemeContract {
  static final LeaseKey A = new LeaseKey("x", "a:1");
  static final LeaseKey B = new LeaseKey("x", "b:2");
  static final LeaseKey C = new LeaseKey("x", "c:3");

  TestServer server;
  StoreOps store;
  StoreOps other;

  @Parameter private ServerKind kind;

  @BeforeParameterizedClassInvocation
  void start() {
    server = kind.start();
    store = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
    other = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
  }

  @AfterParameterizedClassInvocation
  void stop() {
    if (server == null) {
      return; // not run: no such server here
    }
    store.close();
    other.close();
    server.close();
    server = null;
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
    other.acquire(B, StoreOps.TTL, IfHeld.ENQUEUE);
    other.acquire(C, StoreOps.TTL, IfHeld.ENQUEUE);
    List<String> line = server.admin().zrange("lh:{x}:wait", 0, -1);
    assertEquals(2, line.size());
    assertTrue(line.get(0).endsWith(":b:2") && line.get(1).endsWith(":c:3"), "by arrival: " + line);
    double score = server.admin().zscore("lh:{x}:wait", line.get(0));
    Duration minute = Duration.ofMinutes(1);
    Await.value(
        other
            .store()
            .acquire(
                new AcquireRequest(B, StoreOps.TTL, IfHeld.ENQUEUE).repeated().withWaited(minute)));
    double now = server.admin().zscore("lh:{x}:wait", line.get(0));
    assertTrue(now < score && now > score - 61e6, "it goes by how long one has waited: " + now);
    assertEquals(line, server.admin().zrange("lh:{x}:wait", 0, -1));
    long ttl = server.admin().pttl("lh:{x}:wait");
    assertTrue(ttl > 0 && ttl <= 150_000, "nothing stays for ever: " + ttl);
  }

  @Test
  void aWaiterFarBehindIsToldHowManyAreAhead() {
    store.acquire(A);
    for (int i = 0; i <= 10; i++) {
      LeaseKey waiter = new LeaseKey("x", "w:" + i);
      Held held = assertInstanceOf(Held.class, other.acquire(waiter, StoreOps.TTL, IfHeld.ENQUEUE));
      assertEquals(i < 10 ? 0 : 10, held.ahead());
      assertTrue(held.recallable().isEmpty());
    }
  }

  @Test
  void aGrantTakesTheTokenOffTheLine() {
    store.acquire(A);
    other.acquire(B, StoreOps.TTL, IfHeld.ENQUEUE);
    server.admin().del("lh:{x}");
    assertInstanceOf(Granted.class, other.acquire(B, StoreOps.TTL, IfHeld.REFUSE));
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
            assertThrows(LockStoreException.class, () -> Await.value(result), "lease " + i);
        assertTrue(e.getMessage().contains("WRONGTYPE"), e.getMessage());
      } else {
        assertEquals(i % 3 == 0 ? RenewResult.RENEWED : RenewResult.NOT_OWNER, Await.value(result));
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

  final Set<String> keys() {
    return new TreeSet<>(server.admin().keys("*"));
  }
}
