package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.testkit.Await;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Plain mode, looked at from the server's side. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(ServerKind.class)
class PlainTest {
  private static final LeaseKey A = new LeaseKey("x", "a:1");
  private static final LeaseKey B = new LeaseKey("x", "b:2");

  private TestServer server;
  private StoreOps store;

  @Parameter private ServerKind kind;

  @BeforeParameterizedClassInvocation
  void start() {
    server = kind.start();
    store = StoreOps.open(Map.of("lock.redis.uri", server.uri(), "lock.redis-set.mode", "plain"));
    store.acquire(A);
    store.release(A);
    // The question which commands the node has may still be on its way: this goes behind it.
    store.inspect("x");
  }

  @AfterParameterizedClassInvocation
  void stop() {
    if (server == null) {
      return; // not run: no such server here
    }
    store.close();
    server.close();
    server = null;
  }

  @BeforeEach
  void empty() {
    server.admin().flushall();
    server.admin().configResetstat();
  }

  @Test
  void theBareNameIsTheKeyAndTheTokenItsValue() {
    Granted granted = assertInstanceOf(Granted.class, store.acquire(A));
    assertEquals(OptionalLong.empty(), granted.fence());
    assertEquals("a:1", server.admin().get("x"));
    assertTrue(server.admin().pttl("x") > 9_000);
    assertEquals(Set.of("x"), keys());
  }

  @Test
  void aRefusalWritesNothingWhetherItWaitsOrNot() {
    store.acquire(A);
    server.admin().pexpire("x", 5000);
    for (IfHeld ifHeld : IfHeld.values()) {
      Held held = assertInstanceOf(Held.class, store.acquire(B, StoreOps.TTL, ifHeld));
      long millis = held.retryAfter().toMillis();
      assertTrue(millis > 4_000 && millis <= 5_000, "rest of the holder's lease: " + millis);
    }
    assertEquals(Set.of("x"), keys());
    assertEquals("a:1", server.admin().get("x"));
  }

  @Test
  void theSameTokenIsGrantedAgainWithANewTtl() {
    store.acquire(A);
    server.admin().pexpire("x", 1000);
    assertInstanceOf(Granted.class, store.acquire(A));
    assertTrue(server.admin().pttl("x") > 9_000);
    server.admin().pexpire("x", 60_000);
    assertInstanceOf(Granted.class, store.acquire(A));
    assertTrue(server.admin().pttl("x") > 50_000, "a repeated request shortens nothing");
  }

  @Test
  void releaseComparesTheTokenInOneStep() {
    store.acquire(A);
    assertEquals(ReleaseResult.NOT_OWNER, store.release(B));
    assertEquals("a:1", server.admin().get("x"));
    assertEquals(ReleaseResult.RELEASED, store.release(A));
    assertEquals(ReleaseResult.NOT_OWNER, store.release(A));
    assertEquals(Set.of(), keys());
    String stats = server.admin().info("commandstats");
    kind.compareAndDelete()
        .ifPresentOrElse(
            name -> assertTrue(stats.contains("cmdstat_" + name + ":calls=3,"), stats),
            () -> assertTrue(stats.contains("cmdstat_evalsha:calls=4,"), stats));
  }

  @Test
  void renewalComparesTheTokenAndNeverShortens() {
    store.acquire(A);
    server.admin().configResetstat();
    assertEquals(RenewResult.NOT_OWNER, store.renew(B, Duration.ofMinutes(1)));
    assertEquals(RenewResult.RENEWED, store.renew(A, Duration.ofMinutes(1)));
    assertTrue(server.admin().pttl("x") > 59_000);
    String stats = server.admin().info("commandstats");
    if (kind.compareAndDelete().isPresent()) {
      assertTrue(stats.contains("cmdstat_set:calls=1,"), "the longest yet goes natively: " + stats);
    }
    assertEquals(RenewResult.RENEWED, store.renew(A, Duration.ofSeconds(5)));
    assertTrue(server.admin().pttl("x") > 50_000, "never shortened");
    assertEquals(RenewResult.RENEWED, store.renew(A, Duration.ofMinutes(2)));
    assertTrue(server.admin().pttl("x") > 110_000);
    assertEquals(ReleaseResult.RELEASED, store.release(A));
    assertEquals(RenewResult.NOT_OWNER, store.renew(A, Duration.ofMinutes(3)));
    assertEquals(Set.of(), keys(), "nor brought back");
  }

  @Test
  void aBatchMixesNativeAndScriptedRenewalsInOrder() {
    List<RenewRequest> batch = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      LeaseKey key = new LeaseKey("n" + i, "t:" + i);
      if (i % 3 != 0) {
        store.acquire(key);
      }
      batch.add(new RenewRequest(key, Duration.ofSeconds(i % 3 == 1 ? 5 : 20)));
    }
    List<CompletionStage<RenewResult>> results = store.store().renew(batch);
    for (int i = 0; i < 9; i++) {
      assertEquals(
          i % 3 == 0 ? RenewResult.NOT_OWNER : RenewResult.RENEWED,
          Await.value(results.get(i)),
          "lease " + i);
      if (i % 3 != 0) {
        assertTrue(server.admin().pttl("n" + i) > (i % 3 == 1 ? 9_000 : 19_000), "lease " + i);
      }
    }
  }

  @Test
  void aForeignClientsLockIsRespectedAndSeen() {
    server.admin().set("x", "foreign", SetArgs.Builder.nx().px(5000));
    assertInstanceOf(Held.class, store.acquire(A));
    StoredLease seen = store.inspect("x").orElseThrow();
    assertEquals("foreign", seen.token());
    assertTrue(seen.remaining().toMillis() <= 5_000);
    server.admin().persist("x");
    assertEquals(
        Duration.ofSeconds(1), assertInstanceOf(Held.class, store.acquire(A)).retryAfter());
  }

  @Test
  void aKeyOfAnotherTypeIsATypedErrorForEachOperation() {
    server.admin().lpush("x", "no lock");
    assertWrongType(() -> store.acquire(A));
    assertWrongType(() -> store.release(A));
    assertWrongType(() -> store.renew(A, StoreOps.TTL));
    assertWrongType(() -> store.inspect("x"));
    assertEquals(Set.of("x"), keys());
  }

  private static void assertWrongType(Runnable operation) {
    LockStoreException e = assertThrows(LockStoreException.class, operation::run);
    assertEquals(LockStoreException.Kind.REFUSED, e.kind());
    // Redis says it in words where it was asked to compare by DELEX.
    assertTrue(
        e.getMessage().contains("WRONGTYPE")
            || e.getMessage().contains("ERR Key should be of string type"),
        e.getMessage());
  }

  @Test
  void scriptsAreSentAgainAfterAFlush() {
    server.admin().scriptFlush();
    assertInstanceOf(Granted.class, store.acquire(A));
    server.admin().scriptFlush();
    assertEquals(RenewResult.RENEWED, store.renew(A, Duration.ofSeconds(1)));
    server.admin().scriptFlush();
    assertEquals(ReleaseResult.RELEASED, store.release(A));
  }

  @Test
  void promisesNeitherFencingNorWakeUps() {
    assertEquals(
        Set.of(
            Guarantee.OWNED,
            Guarantee.SERVER_EXPIRY,
            Guarantee.CLOCK_INDEPENDENT,
            Guarantee.MINIMUM_HOLD),
        store.store().guarantees());
  }

  @Test
  void namesOfAnyCharactersAreKeysAsTheyAre() {
    for (String name : List.of("{x}", "a{b}c", "\n", "\0", "日本語", "\uD83D\uDD12")) {
      LeaseKey key = new LeaseKey(name, "t:1");
      assertInstanceOf(Granted.class, store.acquire(key));
      assertEquals("t:1", server.admin().get(name));
      assertEquals(ReleaseResult.RELEASED, store.release(key));
    }
  }

  private Set<String> keys() {
    return new TreeSet<>(server.admin().keys("*"));
  }
}
