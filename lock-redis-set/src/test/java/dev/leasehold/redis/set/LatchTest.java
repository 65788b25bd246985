package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Latches at the store, looked at from the server's side. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(ServerKind.class)
class LatchTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long REMEMBERED = Latches.REMEMBERED.toMillis();
  private static final String LATCH = "lh:{x}:latch";

  private TestServer server;
  private StoreOps ops;
  private StoreOps otherOps;
  private Latches one;
  private Latches other;

  @Parameter private ServerKind kind;

  @BeforeParameterizedClassInvocation
  void start() {
    server = kind.start();
    ops = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
    otherOps = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
    one = ((LatchStore) ops.store()).latches();
    other = ((LatchStore) otherOps.store()).latches();
  }

  @AfterParameterizedClassInvocation
  void stop() {
    if (server == null) {
      return; // not run: no such server here
    }
    ops.close();
    otherOps.close();
    server.close();
    server = null;
  }

  @BeforeEach
  void empty() {
    server.admin().flushall();
  }

  private static LeaseKey key(String secret) {
    return new LeaseKey("x", "t:" + secret);
  }

  private boolean open(String round, int count, Duration keepFor) {
    return Await.value(one.open(key(round), count, keepFor));
  }

  private boolean countDown(String once) {
    return Await.value(one.countDown(key(once)));
  }

  private Optional<Latches.State> look(Latches at, IfHeld ifClosed) {
    return Await.value(at.look(key("waiter"), ifClosed));
  }

  /** As if its time had passed. */
  private void end() {
    assertTrue(server.admin().pexpire(LATCH, REMEMBERED - 1));
  }

  @Test
  @DisplayName("a store with two waiters is notified once, and all stores are")
  void tellsAllStores() {
    AtomicInteger woken = new AtomicInteger();
    AtomicInteger wokenThere = new AtomicInteger();
    List<Watch> watches =
        List.of(
            Await.value(one.watch(key("a"), woken::incrementAndGet)),
            Await.value(other.watch(key("c"), wokenThere::incrementAndGet)));
    woken.set(0);
    wokenThere.set(0);
    assertTrue(open("round", 1, LONG));
    for (String waiter : List.of("a", "b")) {
      Await.value(one.look(key(waiter), IfHeld.ENQUEUE));
    }
    Await.value(other.look(key("c"), IfHeld.ENQUEUE));
    assertTrue(countDown("1"));
    Await.until("a waiter of each store is woken", () -> woken.get() == 1 && wokenThere.get() == 1);
    assertEquals(0, server.admin().exists(LATCH + ":wait"), "there are no waiters any more");
    assertEquals(0, look(one, IfHeld.ENQUEUE).orElseThrow().count());
    assertEquals(0, server.admin().exists(LATCH + ":wait"), "nor does a later one");
    assertEquals(
        List.of(1, 1), List.of(woken.get(), wokenThere.get()), "notified no more than once");
    watches.forEach(Watch::close);
  }

  @Test
  @DisplayName("a hash that is not a latch's is reported by its key, and left unchanged")
  void notALatch() {
    for (Map<String, String> strange :
        List.of(
            Map.of("round", "x", "passed", "", "count", "abc"),
            Map.of("round", "x", "passed", ""),
            Map.of("round", "x", "count", "1"),
            Map.of("stock", "3"))) {
      server.admin().del(LATCH);
      server.admin().hset(LATCH, strange);
      for (CompletionStage<?> told :
          List.of(
              one.look(key("waiter"), IfHeld.ENQUEUE),
              one.open(key("round"), 1, LONG),
              one.countDown(key("1")))) {
        CompletableFuture<?> call = told.toCompletableFuture();
        LockStoreException e =
            assertInstanceOf(
                LockStoreException.class,
                assertThrows(CompletionException.class, call::join).getCause());
        assertEquals(LockStoreException.Kind.REFUSED, e.kind());
        String words = String.valueOf(e.getMessage());
        assertTrue(
            words.contains("WRONGTYPE a latch is a hash with") && words.contains(LATCH), words);
      }
      assertEquals(List.of(LATCH), server.admin().keys("*"));
      assertEquals(strange, server.admin().hgetall(LATCH));
    }
  }

  @Test
  @DisplayName("every key is the name's, and has an end")
  void leavesNothing() {
    assertTrue(open("round", 2, LONG));
    assertTrue(countDown("1"));
    look(one, IfHeld.ENQUEUE);
    TreeSet<String> keys = new TreeSet<>(server.admin().keys("*"));
    assertEquals(List.of(LATCH, LATCH + ":counted", LATCH + ":wait"), List.copyOf(keys));
    for (String key : keys) {
      long left = server.admin().pttl(key);
      assertTrue(left > 0 && left <= LONG.toMillis() + 3_600_000, key + " " + left);
    }
    Await.value(one.leave(key("waiter")));
    assertEquals(0, server.admin().exists(LATCH + ":wait"));
  }

  @Test
  @DisplayName("only to look writes nothing")
  void looksOnly() {
    assertEquals(Optional.empty(), look(one, IfHeld.REFUSE));
    assertEquals(List.of(), server.admin().keys("*"));
  }

  @Test
  @DisplayName("one that is over is remembered, with how it ended, and by the next one too")
  void remembered() {
    assertTrue(open("first", 1, LONG));
    assertTrue(countDown("1"));
    end();
    Latches.State over = look(one, IfHeld.REFUSE).orElseThrow();
    assertTrue(over.isOver());
    assertEquals("t:first", over.round());
    assertEquals(0, over.count());
    assertFalse(countDown("2"));
    assertTrue(open("second", 1, LONG));
    assertEquals("t:first", look(one, IfHeld.REFUSE).orElseThrow().passed());
    assertTrue(countDown("1"), "it counted in the round before");
    assertEquals(1, look(one, IfHeld.REFUSE).orElseThrow().count());
    end();
    assertTrue(open("third", 1, LONG));
    assertEquals("", look(one, IfHeld.REFUSE).orElseThrow().passed());
  }
}
