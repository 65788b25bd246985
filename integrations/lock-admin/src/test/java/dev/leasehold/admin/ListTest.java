package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A listing contains the held locks")
class ListTest extends OnOneServer {

  private static Map<String, String> kinds(LockAdmin admin, String pattern) {
    return admin.list(pattern).stream()
        .collect(
            Collectors.toMap(
                entry -> entry.kind() + " " + entry.name(),
                entry ->
                    entry.holds().stream()
                        .map(hold -> hold.holder() + " " + hold.side() + " " + hold.permits())
                        .sorted()
                        .toList()
                        .toString(),
                (a, b) -> a + " and again " + b,
                TreeMap::new));
  }

  @Test
  @DisplayName("Of every kind, each once, with holders and sides")
  void everyKind() throws Exception {
    LockManager one = process("one");
    LockManager two = process("two");
    one.lock("orders").acquire();
    one.all("account-1", "account-2").acquire();
    one.readWriteLock("page").write().acquire();
    one.readWriteLock("page").read().acquire();
    one.readWriteLock("book").read().acquire();
    two.readWriteLock("book").read().acquire();
    one.semaphore("export", 5).acquire(2);
    two.semaphore("export", 5).acquire(1);
    assertTrue(one.latch("loaded").open(3, Duration.ofHours(1)));
    one.latch("loaded").countDown();
    assertEquals(
        Map.of(
            "lock orders", "[one ALL 1]",
            "lock account-1", "[one ALL 1]",
            "lock account-2", "[one ALL 1]",
            "read/write lock page", "[one READ 1, one WRITE 1]",
            "read/write lock book", "[one READ 1, two READ 1]",
            "semaphore export", "[one PERMITS 2, two PERMITS 1]",
            "latch loaded", "[]"),
        kinds(admin(), "*"));
    ListedLock export = admin().list("export").iterator().next();
    assertEquals(5, export.permits().orElseThrow());
    assertEquals(3, export.holders());
    ListedLock loaded = admin().list("loaded").iterator().next();
    assertEquals(2, loaded.missing().orElseThrow());
    assertTrue(loaded.ends().orElseThrow().toMinutes() >= 59, loaded::toString);
  }

  @Test
  @DisplayName("One name of several kinds has an entry for each; a free one has none")
  void kindsOfOneName() throws Exception {
    LockManager one = process("one");
    one.lock("x").acquire();
    one.readWriteLock("x").read().acquire();
    one.semaphore("x", 2).acquire();
    one.lock("free").acquire().release();
    one.semaphore("free", 2).acquire().release();
    assertEquals(
        Map.of(
            "lock x", "[one ALL 1]",
            "read/write lock x", "[one READ 1]",
            "semaphore x", "[one PERMITS 1]"),
        kinds(admin(), "*"));
    assertEquals(3, admin().show("x").size());
    assertEquals(List.of(), admin().show("never"));
  }

  @Test
  @DisplayName("Holder and remaining time are those that the lock itself reports")
  void theSame() throws Exception {
    LockManager one = process("one");
    one.lock("orders").acquire();
    var info = one.lock("orders").inspect().orElseThrow();
    ListedHold hold = admin().list("*").iterator().next().holds().get(0);
    assertEquals(info.holder(), hold.holder());
    assertEquals(info.fencingToken(), hold.fencingToken());
    assertTrue(hold.remaining().orElseThrow().compareTo(info.remaining()) <= 0);
    assertEquals(HoldState.HELD, hold.state());
    assertTrue(hold.votes().enough());
  }

  @Test
  @DisplayName("Patterns are of names: braces and per cents are plain characters")
  void patterns() throws Exception {
    LockManager one = process("one");
    for (String name : List.of("order:1", "order:2", "o{}1", "50%", "a*b", "axb", "é1")) {
      one.lock(name).acquire();
    }
    LockAdmin admin = admin();
    assertEquals(List.of("order:1", "order:2"), names(admin, "order:*"));
    assertEquals(List.of("order:2"), names(admin, "order:[^1]"));
    assertEquals(List.of("o{}1"), names(admin, "o{}?"));
    assertEquals(List.of("o{}1"), names(admin, "o[{]*"));
    assertEquals(List.of("50%"), names(admin, "*%"));
    assertEquals(List.of("a*b"), names(admin, "a\\*b"));
    assertEquals(List.of("a*b", "axb"), names(admin, "a?b"));
    assertEquals(List.of("é1"), names(admin, "?1"));
    assertEquals(List.of(), names(admin, "none*"));
    assertThrows(IllegalArgumentException.class, () -> admin.list(""));
  }

  private static List<String> names(LockAdmin admin, String pattern) {
    return admin.list(pattern).stream().map(ListedLock::name).sorted().toList();
  }

  @Test
  @DisplayName("Keys of other tenants and programs are no locks")
  void others() throws Exception {
    process("one", "lock.redis.key-prefix", "shop:").lock("theirs").acquire();
    server.call("SET", "orders", "1");
    server.call("SET", "lh:{x}:note", "1");
    server.call("HSET", "lh:{y}:permits", "a", "b");
    server.call("SET", "lh:{%41}", "never written so");
    assertEquals(List.of(), names(admin(), "*"));
    assertEquals(List.of("theirs"), names(admin("lock.redis.key-prefix", "shop:"), "*"));
  }

  @Test
  @DisplayName("A minimum hold and a reservation are shown as such")
  void states() throws Exception {
    LockManager one = process("one");
    one.lock("once", LockOptions.builder().atLeast(Duration.ofSeconds(20)).build())
        .acquire()
        .release();
    ListedHold kept = hold(admin(), "once");
    assertEquals(HoldState.KEPT, kept.state());
    assertEquals("one", kept.holder());
    assertEquals(Duration.ZERO, kept.believedFor().orElseThrow());
  }

  @Test
  @DisplayName("Omissions are reported")
  void omissions() {
    LockListing listing = admin().list("*");
    assertEquals(0, listing.stream().count());
    assertEquals(
        List.of(Omission.Reason.INDISTINGUISHABLE, Omission.Reason.OTHER_SCHEME),
        listing.omissions().stream().map(Omission::reason).toList());
    assertThrows(IllegalStateException.class, listing::iterator);
  }
}
