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
    return Stream.of(
        Arguments.of("lh:{orders}", none, List.of("RPUSH", "lh:{orders}", "x")),
        Arguments.of("lh:{orders}:fence", none, List.of("RPUSH", "lh:{orders}:fence", "x")),
        Arguments.of("orders", plain, List.of("RPUSH", "orders", "x")),
        Arguments.of("orders", plain, List.of("SET", "orders", "x".repeat(600))),
        Arguments.of("orders", redisson, List.of("RPUSH", "orders", "x")),
        Arguments.of("orders", redisson, List.of("HSET", "orders", "address", "x")));
  }

  @ParameterizedTest
  @MethodSource("otherValues")
  @DisplayName(
      "A name is not free if a key of it holds something else: an error that names the key")
  void other(String key, String[] settings, List<String> written) throws Exception {
    LockAdmin admin = admin(settings);
    assertEquals(List.of(), admin.show("orders"));
    server.call(written.toArray(String[]::new));
    LockStoreException e = assertThrows(LockStoreException.class, () -> admin.show("orders"));
    assertEquals(LockStoreException.Kind.REFUSED, e.kind());
    String end = ": WRONGTYPE the key '" + key + "' holds something else than a lock";
    assertTrue(e.getMessage().endsWith(server.port() + end), e::toString);
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
