package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Semaphores at the store, looked at from the server's side. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class PermitTest extends PermitLineContract {
  @Test
  @DisplayName("many leases of many permits are renewed by several scripts, each of a bounded work")
  void renewalIsBounded() {
    List<RenewRequest> batch = new ArrayList<>();
    for (String secret : List.of("a", "b", "c", "d")) {
      AcquireRequest request = new AcquireRequest(key(secret), TTL, IfHeld.REFUSE);
      assertInstanceOf(Granted.class, Await.value(store.permits(600, 2400).acquire(request)));
      batch.add(new RenewRequest(key(secret), TTL.multipliedBy(6)));
    }
    batch.add(new RenewRequest(key("nobody"), TTL));
    Await.value(store.permits(1, 1).renew(batch.subList(4, 5)).get(0)); // so that it is known there
    long before = scripts();
    List<RenewResult> results =
        store.permits(1, 1).renew(batch).stream().map(Await::value).toList();
    assertEquals(RenewResult.NOT_OWNER, results.get(4));
    assertEquals(List.of(RenewResult.RENEWED), results.subList(0, 4).stream().distinct().toList());
    assertEquals(3, scripts() - before, "two of 600, two of 600, and the rest");
    long longer = System.currentTimeMillis() + TTL.multipliedBy(5).toMillis();
    assertEquals(2400, server.admin().zcount(HOLDERS, io.lettuce.core.Range.create(longer, 1e15)));
  }

  @Test
  @DisplayName("so many, and no more; all of a request or none")
  void counts() {
    granted("a", 2);
    refused("b", 2);
    granted("c", 1);
    long left = refused("d", 1).retryAfter().toMillis();
    assertTrue(left > 9_000 && left <= 10_000, "till the first lease ends: " + left);
    assertEquals(new Permits(3, 3), count());
    assertEquals(ReleaseResult.RELEASED, release("a"));
    assertEquals(new Permits(3, 1), count());
    granted("b", 2);
  }

  @Test
  @DisplayName("a token that holds is granted again, and takes no more")
  void again() {
    granted("a", 2);
    granted("a", 2);
    assertEquals(2, count().held());
  }

  @Test
  @DisplayName("an owner without one adds none")
  void strangers() {
    granted("a", 3);
    assertEquals(ReleaseResult.NOT_OWNER, release("b"));
    assertEquals(ReleaseResult.RELEASED, release("a"));
    assertEquals(ReleaseResult.NOT_OWNER, release("a"));
    granted("a", 3);
    refused("b", 1);
  }

  @Test
  @DisplayName("an expired lease is removed by the next request, and can't be renewed")
  void expires() {
    granted("a", 2);
    granted("b", 1);
    expire("a", 2);
    assertEquals(1, count().held());
    assertEquals(RenewResult.NOT_OWNER, renew("a"));
    assertEquals(3, server.admin().zcard(HOLDERS), "no caller came yet");
    granted("c", 1);
    assertEquals(2, server.admin().zcard(HOLDERS));
    assertEquals(RenewResult.RENEWED, renew("b"));
    assertEquals(ReleaseResult.NOT_OWNER, release("a"));
  }

  private RenewResult renew(String secret) {
    RenewRequest request = new RenewRequest(key(secret), TTL);
    return Await.value(store.permits(1, 3).renew(List.of(request)).get(0));
  }

  @Test
  @DisplayName("a renewal prolongs all permits of a lease, and shortens none")
  void renews() {
    assertInstanceOf(Granted.class, ask(store, "a", 2, Duration.ofSeconds(2), IfHeld.REFUSE));
    assertInstanceOf(Granted.class, ask(store, "b", 1, Duration.ofMinutes(1), IfHeld.REFUSE));
    assertEquals(RenewResult.RENEWED, renew("a"));
    assertEquals(RenewResult.RENEWED, renew("b"));
    long soon = Long.parseLong(server.admin().time().get(0)) * 1000 + 6_000;
    assertTrue(server.admin().zscore(HOLDERS, "1:t:a") > soon);
    assertTrue(server.admin().zscore(HOLDERS, "2:t:a") > soon);
    assertTrue(server.admin().zscore(HOLDERS, "1:t:b") > soon + 49_000);
    assertTrue(server.admin().pttl(HOLDERS) > 50_000);
  }

  @Test
  @DisplayName("every key has a time to live, and after use only the number stays, for a day")
  void leavesNothing() {
    granted("a", 3);
    waits(other, "b", 1);
    for (String key : server.admin().keys("*")) {
      assertTrue(server.admin().pttl(key) > 0, key);
    }
    assertEquals(
        new TreeSet<>(
            List.of(
                HOLDERS,
                HOLDERS + ":door",
                HOLDERS + ":ends",
                HOLDERS + ":number",
                HOLDERS + ":wait")),
        new TreeSet<>(server.admin().keys("*")));
    release("a");
    assertInstanceOf(Granted.class, ask(other, "b", 1, TTL, IfHeld.ENQUEUE));
    release("b");
    assertEquals(List.of(HOLDERS + ":number"), server.admin().keys("*"));
    assertTrue(server.admin().pttl(HOLDERS + ":number") > 80_000_000);
  }

  @Test
  @DisplayName("a refused request that does not wait writes nothing")
  void writesNothing() {
    granted("a", 3);
    String before = changes();
    refused("b", 1);
    count();
    assertEquals(before, changes());
  }

  private String changes() {
    return server
        .admin()
        .info("persistence")
        .lines()
        .filter(line -> line.startsWith("rdb_changes"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("another number is refused with both, and resize changes it")
  void numbers() {
    granted("a", 3);
    LockConfigurationException refusal =
        assertThrows(
            LockConfigurationException.class,
            () ->
                Await.value(
                    store.permits(1, 5).acquire(new AcquireRequest(key("b"), TTL, IfHeld.REFUSE))));
    assertTrue(refusal.getMessage().contains("has 3 permits"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("requested with 5"), refusal.getMessage());
    assertThrows(LockConfigurationException.class, () -> Await.value(store.resize("x", 4, 5)));
    Await.value(store.resize("x", 3, 2));
    Await.value(store.resize("x", 3, 2)); // again, after an answer that was lost
    assertEquals(new Permits(2, 3), count());
  }

  @Test
  @DisplayName("an invalid number is reported by its key, and left unchanged")
  void noNumber() {
    for (String strange : List.of("three", "nan", "-1", "0x3", "", "0", "4294967299")) {
      server.admin().set(HOLDERS + ":number", strange);
      for (CompletionStage<?> told :
          List.of(
              store.permits(1, 3).acquire(new AcquireRequest(key("a"), TTL, IfHeld.ENQUEUE)),
              store.resize("x", 3, 2),
              store.count("x"))) {
        CompletableFuture<?> call = told.toCompletableFuture();
        LockStoreException e =
            assertInstanceOf(
                LockStoreException.class,
                assertThrows(CompletionException.class, call::join).getCause());
        assertEquals(LockStoreException.Kind.REFUSED, e.kind());
        String words = String.valueOf(e.getMessage());
        assertTrue(words.contains("no number of permits is in " + HOLDERS + ":number"), words);
      }
      assertEquals(List.of(HOLDERS + ":number"), server.admin().keys("*"));
      assertEquals(strange, server.admin().get(HOLDERS + ":number"));
    }
  }

  @Test
  @DisplayName("a holder is renewed and released, whatever happened to the number")
  void numberSpoiled() {
    granted("a", 1);
    server.admin().del(HOLDERS + ":number");
    server.admin().rpush(HOLDERS + ":number", "three");
    RenewRequest renewal = new RenewRequest(key("a"), TTL);
    assertEquals(
        RenewResult.RENEWED, Await.value(store.permits(1, 3).renew(List.of(renewal)).get(0)));
    assertEquals(ReleaseResult.RELEASED, release("a"));
    assertEquals(List.of("three"), server.admin().lrange(HOLDERS + ":number", 0, -1));
  }

  @Test
  @DisplayName("another number wakes the waiters, a smaller one waits for held permits")
  void resizes() {
    granted("a", 3);
    waits(other, "b", 1);
    Await.value(store.resize("x", 3, 4));
    Await.until("the waiter is woken", () -> woken.get() > 0);
    assertEquals(new Permits(4, 3), count(), "it learns of the number, and nothing is kept for it");
    Await.value(store.resize("x", 4, 3));
    assertEquals(ReleaseResult.RELEASED, release("a"));
  }

  @Test
  @DisplayName("the number stays for a day after the lease, however long that was renewed")
  void numberOutlastsTheLease() {
    granted("a", 1);
    server.admin().pexpire(HOLDERS + ":number", TTL.toMillis() + 3_000);
    assertEquals(RenewResult.RENEWED, renew("a"));
    assertEquals(ReleaseResult.RELEASED, release("a"));
    assertTrue(server.admin().pttl(HOLDERS + ":number") > Duration.ofHours(24).toMillis());
  }
}
