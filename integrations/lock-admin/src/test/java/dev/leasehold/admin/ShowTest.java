package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("One lock in detail")
class ShowTest extends OnOneServer {

  @Test
  @DisplayName("Holder, since when, for how long, where; and its queue in order")
  void everything() throws Exception {
    LockAdmin admin = admin();
    Lease lease = process("one").lock("orders").acquire();
    Instant granted = Instant.now();
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (String label : List.of("two", "three", "four")) {
      waiting.add(process(label).lock("orders").acquireAsync().toCompletableFuture());
      int count = waiting.size();
      Await.until("it waits", () -> only(admin.show("orders")).waiters().size() == count);
    }
    LockDetails shown = only(admin.show("orders"));
    ListedHold hold = shown.entry().holds().get(0);
    assertEquals(KindOfLock.LOCK, shown.entry().kind());
    assertEquals("one", hold.holder());
    assertEquals(lease.fencingToken(), hold.fencingToken().orElseThrow());
    Duration apart = Duration.between(hold.since().orElseThrow(), granted).abs();
    assertTrue(apart.toMillis() < 1500, () -> "since " + hold.since());
    assertEquals(hold.remaining(), hold.believedFor());
    assertEquals(
        List.of("two", "three", "four"),
        shown.waiters().stream().map(QueuedWaiter::holder).toList());
    assertEquals(List.of(1, 2, 3), shown.waiters().stream().map(QueuedWaiter::place).toList());
    assertTrue(
        shown
                .waiters()
                .get(0)
                .waiting()
                .orElseThrow()
                .compareTo(shown.waiters().get(2).waiting().orElseThrow())
            >= 0);
    ClientConnection where = shown.connections().get("one").get(0);
    assertTrue(where.address().startsWith("127.0.0.1:"), where::toString);
    assertEquals(server.host() + ":" + server.port(), where.node());
    assertEquals(
        List.of(new NodeState(where.node(), java.util.Optional.empty(), List.of(hold.id()))),
        shown.nodes());
    assertTrue(shown.connections().get("three").size() > 0);
    waiting.forEach(each -> each.cancel(false));
  }

  @Test
  @DisplayName("A fair queue shows each waiter, and that it is fair")
  void fair() throws Exception {
    String[] fair = {"lock.redis.fair", "true"};
    LockAdmin admin = admin(fair);
    Lease lease = process("one", fair).lock("orders").acquire();
    LockManager two = process("two", fair);
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      waiting.add(two.lock("orders").acquireAsync().toCompletableFuture());
      int count = i;
      Await.until("it waits", () -> only(admin.show("orders")).waiters().size() == count);
    }
    assertEquals(KindOfLock.FAIR_LOCK, only(admin.show("orders")).entry().kind());
    assertEquals(KindOfLock.FAIR_LOCK, admin.list("*").iterator().next().kind());
    admin.breakLock("orders", hold(admin, "orders").id());
    Await.value(waiting.get(0)).release();
    Await.value(waiting.get(1)).release();
    Await.value(waiting.get(2)).release();
    assertThrows(RuntimeException.class, lease::release);
  }

  @Test
  @DisplayName("Readers and a writer that waits")
  void sides() throws Exception {
    LockAdmin admin = admin();
    process("one").readWriteLock("page").read().acquire();
    CompletableFuture<Lease> waiting =
        process("two").readWriteLock("page").write().acquireAsync().toCompletableFuture();
    Await.until("it waits", () -> only(admin.show("page")).waiters().size() == 1);
    LockDetails shown = only(admin.show("page"));
    assertEquals(Side.WRITE, shown.waiters().get(0).side());
    assertEquals(Side.READ, shown.entry().holds().get(0).side());
    assertTrue(shown.entry().holds().get(0).since().isEmpty());
    waiting.cancel(false);
  }

  static Stream<Arguments> otherValues() {
    String[] redisson = {"lock.backend", "redisson"};
    String[] plain = {"lock.redis-set.mode", "plain"};
    String[] none = {};
    String key = "lh:{orders}";
    return Stream.of(
        Arguments.of(key, none, List.of("RPUSH", key, "x")),
        Arguments.of("lh:{orders}:fence", none, List.of("RPUSH", "lh:{orders}:fence", "x")),
        Arguments.of("lh:{orders}:permits", none, List.of("RPUSH", "lh:{orders}:permits", "x")),
        Arguments.of("orders", plain, List.of("RPUSH", "orders", "x")),
        Arguments.of("orders", plain, List.of("SET", "orders", "x".repeat(600))),
        Arguments.of("orders", scheme("yii2"), List.of("SET", "orders", "hello")),
        Arguments.of("orders", scheme("redis-objects"), List.of("SET", "orders", "hello")),
        Arguments.of("orders", scheme("millis"), List.of("SET", "orders", "hello")),
        Arguments.of("orders", scheme("seconds"), List.of("SET", "orders", "hello")),
        Arguments.of(key, scheme("setnx-timestamp"), List.of("SET", key, "hello")),
        Arguments.of("orders", redisson, List.of("RPUSH", "orders", "x")),
        Arguments.of("orders", redisson, List.of("HSET", "orders", "address", "x")));
  }

  private static String[] scheme(String name) {
    return new String[] {"lock.backend", "redis-setnx", "lock.redis-setnx.scheme", name};
  }

  @ParameterizedTest
  @MethodSource("otherValues")
  @DisplayName(
      "A name is not free if a key of it holds something else: an error that names the key")
  void other(String key, String[] settings, List<String> written) throws Exception {
    LockAdmin admin = admin(settings);
    assertEquals(List.of(), admin.show("orders"));
    server.call(written.toArray(String[]::new));
    refused(admin, "the key '" + key + "' holds something else than a lock in this format");
  }

  private static void refused(LockAdmin admin, String words) {
    LockStoreException e = assertThrows(LockStoreException.class, () -> admin.show("orders"));
    assertEquals(LockStoreException.Kind.REFUSED, e.kind());
    assertTrue(e.getMessage().endsWith(server.port() + ": " + words), e::toString);
  }

  @Test
  @DisplayName("A hash with too many fields may be one of Redisson's locks: an error that says so")
  void manyFields() {
    List<String> written = new ArrayList<>(List.of("HSET", "orders", "mode", "read"));
    for (int i = 0; i <= LockDetails.MOST; i++) {
      written.addAll(List.of("00000000-0000-0000-0000-000000000000:" + i, "1"));
    }
    server.call(written.toArray(String[]::new));
    LockAdmin admin = admin("lock.backend", "redisson");
    refused(admin, "the key 'orders' is a hash with 1002 fields, too many to be shown");
  }

  @ParameterizedTest
  @ValueSource(strings = {"yii2", "redis-objects", "millis", "seconds", "setnx-timestamp"})
  @DisplayName("A time in the past, and one of Redisson's semaphores, are free")
  void free(String scheme) {
    server.call("SET", "orders", "12");
    server.call("SET", "lh:{orders}", "12:one:AAAAAAAAAAAAAAAAAAAAAA");
    assertEquals(List.of(), admin(scheme(scheme)).show("orders"));
    assertEquals(List.of(), admin("lock.backend", "redisson").show("orders"));
  }

  @Test
  @DisplayName("A free name costs one call: a second might find a lock, acquired meanwhile")
  void oneLook() {
    LockAdmin admin = admin();
    admin.show("orders");
    server.call("CONFIG", "RESETSTAT");
    assertEquals(List.of(), admin.show("orders"));
    String calls = server.call("INFO", "commandstats").orElseThrow().toString();
    assertTrue(calls.contains("cmdstat_evalsha:calls=1,"), calls);
  }

  @Test
  @DisplayName("What is held is shown, even if the key of another kind holds something else")
  void otherBeside() throws Exception {
    server.call("RPUSH", "lh:{orders}", "x");
    process("one").readWriteLock("orders").read().acquire();
    assertEquals(KindOfLock.READ_WRITE_LOCK, only(admin().show("orders")).entry().kind());
  }

  @Test
  @DisplayName("A server that is not there is an error that names it, without its password")
  void unreachable() {
    LockStoreException e =
        assertThrows(
            LockStoreException.class,
            () -> LockAdmin.open(settings("lock.redis.uri", "redis://:hidden@127.0.0.1:1")));
    assertEquals(LockStoreException.Kind.UNREACHABLE, e.kind());
    assertTrue(e.getMessage().contains("127.0.0.1:1"), e::toString);
    assertTrue(!e.toString().contains("hidden"), e::toString);
  }
}
