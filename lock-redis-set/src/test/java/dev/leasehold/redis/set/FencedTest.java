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
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import io.lettuce.core.KillArgs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of {@link dev.leasehold.lock.spi.LeaseStore}, looked at from the server's side: also
 * waking, errors, and names.
 */
@ParameterizedClass
@EnumSource(ServerKind.class)
class FencedTest extends FencedSchemeContract {
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
      assertInstanceOf(Held.class, who.acquire(key, StoreOps.TTL, IfHeld.ENQUEUE));
      woken.set(0);
    }

    @Test
    @DisplayName("a release wakes the first waiter and no other")
    void wakesTheFirst() {
      store.acquire(A);
      waiting(other, B, wokenB);
      try (StoreOps third = StoreOps.open(Map.of("lock.redis.uri", server.uri()))) {
        waiting(third, C, wokenC);
        assertEquals(ReleaseResult.PASSED_ON, store.release(A));
        Await.until("B is woken", () -> wokenB.get() == 1);
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
      Await.until(
          "one store listens", () -> server.admin().pubsubChannels("lh:wake:*").size() == 1);
      assertEquals(ReleaseResult.PASSED_ON, store.release(A));
      Await.until("B is woken", () -> wokenB.get() == 1);
    }

    @Test
    @DisplayName("without a listener: the lock is free and the queue empty")
    void nobody() {
      store.acquire(A);
      other.acquire(B, StoreOps.TTL, IfHeld.ENQUEUE);
      server.admin().clientKill(KillArgs.Builder.typePubsub());
      Await.until(
          "there are no listeners", () -> server.admin().pubsubChannels("lh:wake:*").isEmpty());
      ReleaseResult result = store.release(A);
      assertTrue(result != ReleaseResult.NOT_OWNER);
      assertEquals(0, server.admin().exists("lh:{x}", "lh:{x}:wait"));
    }

    /** Each costs a message without a receiver, and the server does nothing else meanwhile. */
    @Test
    @DisplayName("of very many that are gone a release passes over some, the next over more")
    void passesOverSome() {
      int dead = 10_000;
      Object[] gone =
          IntStream.range(0, dead)
              .boxed()
              .flatMap(i -> Stream.of((double) i, "gone:" + i))
              .toArray();
      server.admin().zadd("lh:{x}:wait", gone);
      store.acquire(A);
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      long left = server.admin().zcard("lh:{x}:wait");
      assertTrue(left >= dead - 100 && left < dead, "left in line: " + left);
      other.leave(B);
      assertTrue(server.admin().zcard("lh:{x}:wait") >= left - 100);
      assertTrue(server.admin().zcard("lh:{x}:wait") < left);
    }

    @Test
    @DisplayName("leaving a free lock passes the wake-up on")
    void leaves() {
      store.acquire(A);
      waiting(other, B, wokenB);
      other.acquire(C, StoreOps.TTL, IfHeld.ENQUEUE);
      server.admin().del("lh:{x}");
      other.leave(C);
      Await.until("B is woken", () -> wokenB.get() == 1);
      assertEquals(0, server.admin().exists("lh:{x}:wait"));
    }

    @Test
    @DisplayName("leaving a held lock wakes no waiter")
    void leavesHeld() {
      store.acquire(A);
      // A store of its own: the other may still owe a wake-up for a connection killed before.
      try (StoreOps third = StoreOps.open(Map.of("lock.redis.uri", server.uri()))) {
        waiting(third, B, wokenB);
        third.acquire(C, StoreOps.TTL, IfHeld.ENQUEUE);
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
      Await.until("B is woken", () -> wokenB.get() >= 1);
      wokenB.set(0);
      other.acquire(B, StoreOps.TTL, IfHeld.ENQUEUE);
      assertEquals(ReleaseResult.PASSED_ON, store.release(A));
      Await.until("B is woken", () -> wokenB.get() == 1);
    }

    @Test
    @DisplayName("without a watch there is no second connection; with many there is one")
    void connections() {
      try (StoreOps third =
          StoreOps.open(
              Map.of("lock.redis.uri", server.uri(), "lock.redis.client-name", "third"))) {
        third.acquire(new LeaseKey("y", "t:1"));
        assertEquals(1, connectionsOf("third"));
        Watch one = third.watch(A, () -> {});
        Watch two = third.watch(new LeaseKey("y", "t:2"), () -> {});
        assertEquals(2, connectionsOf("third"));
        one.close();
        two.close();
      }
      Await.until("its connections are gone", () -> connectionsOf("third") == 0);
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

    @ParameterizedTest
    @ValueSource(
        strings = {
          "nan",
          "-nan",
          "inf",
          "0x10",
          " 5",
          "5 ",
          "5.5",
          "1e3",
          "-1",
          "9007199254740990",
          "",
          "5\n"
        })
    void whatIsNoFenceIsRefusedAndStaysAsItIs(String none) {
      server.admin().set("lh:{x}:fence", none);
      LockStoreException e = failure();
      assertEquals(Kind.REFUSED, e.kind());
      assertTrue(e.getMessage().contains("is no fence"), e.getMessage());
      assertEquals(none, server.admin().get("lh:{x}:fence"));
      assertEquals(Set.of("lh:{x}:fence"), keys());
      server.admin().set("lh:{x}", "somebody");
      assertEquals(OptionalLong.empty(), store.inspect("x").orElseThrow().fence());
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
      assertInstanceOf(Held.class, other.acquire(B, StoreOps.TTL, IfHeld.ENQUEUE));
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
      other.acquire(waiter, StoreOps.TTL, IfHeld.ENQUEUE);
      assertEquals(ReleaseResult.PASSED_ON, store.release(holder));
      assertTrue(woken.await(5, TimeUnit.SECONDS), name);
      watch.close();
    }
  }
}
