package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
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

/** Read/write locks at the store, looked at from the server's side. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(ServerKind.class)
class ReadWriteTest {
  private static final Duration TTL = Duration.ofMinutes(1);

  private TestServer server;
  private StoreOps ops;
  private ReadWriteStore store;
  private LeaseStore reads;
  private LeaseStore writes;

  @Parameter private ServerKind kind;

  @BeforeParameterizedClassInvocation
  void start() {
    server = kind.start();
    ops = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
    store = (ReadWriteStore) ops.store();
    reads = store.reads();
    writes = store.writes();
  }

  @AfterParameterizedClassInvocation
  void stop() {
    if (server != null) {
      ops.close();
      server.close();
    }
    server = null;
  }

  @BeforeEach
  void empty() {
    server.admin().flushall();
  }

  private static LeaseKey key(String secret) {
    return new LeaseKey("x", "t:" + secret);
  }

  private static AcquireResult ask(LeaseStore side, String secret, IfHeld how, int handOvers) {
    AcquireRequest asks = new AcquireRequest(key(secret), TTL, how).withHandOvers(handOvers);
    return Await.value(side.acquire(how == IfHeld.ENQUEUE ? asks.repeated() : asks));
  }

  private static long granted(LeaseStore side, String secret) {
    Granted granted = assertInstanceOf(Granted.class, ask(side, secret, IfHeld.REFUSE, 0));
    return granted.fence().orElseThrow();
  }

  private static Held refused(LeaseStore side, String secret, IfHeld how) {
    return assertInstanceOf(Held.class, ask(side, secret, how, 0));
  }

  private static ReleaseResult release(LeaseStore side, String secret) {
    return Await.value(side.release(key(secret)));
  }

  @Test
  @DisplayName("readers beside readers, a writer alone; each token where it belongs")
  void sides() {
    long first = granted(writes, "w");
    refused(reads, "a", IfHeld.REFUSE);
    refused(writes, "v", IfHeld.REFUSE);
    assertEquals(ReleaseResult.RELEASED, release(writes, "w"));
    long one = granted(reads, "a");
    long two = granted(reads, "b");
    assertTrue(one > first && one == two, first + " < " + one + " = " + two);
    assertTrue(refused(writes, "v", IfHeld.REFUSE).retryAfter().toSeconds() > 30);
    assertEquals(ReleaseResult.RELEASED, release(reads, "a"));
    assertEquals(ReleaseResult.NOT_OWNER, release(reads, "a"));
    refused(writes, "v", IfHeld.REFUSE);
    assertEquals(ReleaseResult.RELEASED, release(reads, "b"));
    assertTrue(granted(writes, "v") > two);
  }

  @Test
  @DisplayName("writers that died make room, also behind readers that never leave together")
  void deadInTheLine() {
    granted(reads, "r");
    for (int i = 0; i < 120; i++) {
      LeaseKey dead = key("dead" + i);
      AcquireRequest request =
          new AcquireRequest(dead, TTL, IfHeld.ENQUEUE)
              .repeated()
              .withAsksWithin(Duration.ofMillis(1));
      assertInstanceOf(Held.class, Await.value(writes.acquire(request)));
    }
    Await.until(
        "only the writer that asks is in line",
        () -> {
          refused(writes, "w", IfHeld.ENQUEUE);
          return server.admin().zcard("lh:{x}:rw:wait") == 1;
        });
  }

  @Test
  @DisplayName("numbers for a writer's hand-overs; unused ones are returned")
  void runs() {
    Granted run = assertInstanceOf(Granted.class, ask(writes, "w", IfHeld.REFUSE, 10));
    assertEquals(10, run.handOvers());
    long fence = run.fence().orElseThrow();
    FenceRun used = new FenceRun(fence + 3, fence + 10);
    assertEquals(ReleaseResult.RELEASED, Await.value(writes.release(key("w"), used)));
    assertEquals("" + (fence + 3), server.admin().hget("lh:{x}:rw:fences", "fence"));
    assertTrue(granted(reads, "a") > fence + 3);
    Await.value(writes.release(key("w"), used)); // again, and late
    assertTrue(granted(reads, "b") > fence + 3);
  }

  @Test
  @DisplayName("only the writer itself may also read")
  void beside() {
    granted(writes, "w");
    LeaseStore beside = store.readsBeside(key("w"));
    granted(beside, "a");
    refused(reads, "b", IfHeld.REFUSE);
    refused(store.readsBeside(key("v")), "b", IfHeld.REFUSE);
    release(writes, "w");
    refused(writes, "v", IfHeld.REFUSE);
    granted(reads, "b");
  }

  @Test
  @DisplayName("a reader whose lease is over is swept, and can't be renewed")
  void expires() {
    granted(reads, "a");
    granted(reads, "b");
    server.admin().zadd("lh:{x}:readers", 1, "1:t:a");
    assertEquals(RenewResult.NOT_OWNER, renew(reads, "a"));
    assertEquals(RenewResult.RENEWED, renew(reads, "b"));
    release(reads, "b");
    granted(writes, "w");
    assertEquals(RenewResult.RENEWED, renew(writes, "w"));
    assertEquals(RenewResult.NOT_OWNER, renew(writes, "v"));
  }

  private static RenewResult renew(LeaseStore side, String secret) {
    return Await.value(side.renew(List.of(new RenewRequest(key(secret), TTL))).get(0));
  }

  @Test
  @DisplayName("a release wakes all readers up to the next writer, in the line's order")
  void wakes() {
    AtomicInteger woken = new AtomicInteger();
    Watch watch = Await.value(reads.watch(key("a"), woken::incrementAndGet));
    granted(writes, "w");
    woken.set(0);
    for (String reader : List.of("a", "b")) {
      refused(reads, reader, IfHeld.ENQUEUE);
    }
    refused(writes, "v", IfHeld.ENQUEUE);
    assertEquals(ReleaseResult.PASSED_ON, release(writes, "w"));
    Await.until("both readers are woken", () -> woken.get() == 2);
    refused(writes, "u", IfHeld.REFUSE); // it is kept for the readers
    assertInstanceOf(Granted.class, ask(reads, "a", IfHeld.ENQUEUE, 0));
    assertInstanceOf(Granted.class, ask(reads, "b", IfHeld.ENQUEUE, 0));
    refused(writes, "v", IfHeld.ENQUEUE); // holds the door
    refused(reads, "c", IfHeld.REFUSE);
    release(reads, "a");
    assertEquals(ReleaseResult.PASSED_ON, release(reads, "b"));
    assertInstanceOf(Granted.class, ask(writes, "v", IfHeld.ENQUEUE, 0));
    watch.close();
  }

  @Test
  @DisplayName("every key has a time to live, and after use only the fences stay, for a day")
  void leavesNothing() {
    granted(reads, "a");
    refused(writes, "w", IfHeld.ENQUEUE);
    for (String key : server.admin().keys("*")) {
      assertTrue(server.admin().pttl(key) > 0, key);
    }
    assertEquals(
        new TreeSet<>(
            List.of(
                "lh:{x}:readers",
                "lh:{x}:rw:door",
                "lh:{x}:rw:ends",
                "lh:{x}:rw:fences",
                "lh:{x}:rw:wait")),
        new TreeSet<>(server.admin().keys("*")));
    Await.value(writes.leave(key("w")));
    release(reads, "a");
    assertEquals(List.of("lh:{x}:rw:fences"), server.admin().keys("*"));
    assertTrue(server.admin().pttl("lh:{x}:rw:fences") > 80_000_000);
  }

  @Test
  @DisplayName("invalid fences are an error, and then there is no holder")
  void strangeFences() {
    server.admin().hset("lh:{x}:rw:fences", "fence", "many");
    assertThrows(LockStoreException.class, () -> granted(writes, "w"));
    assertThrows(LockStoreException.class, () -> granted(reads, "a"));
    assertEquals(List.of("lh:{x}:rw:fences"), server.admin().keys("*"));
  }

  @Test
  @DisplayName("the holders of a side")
  void inspects() {
    granted(reads, "a");
    assertEquals("t:a", Await.value(reads.inspect("x")).orElseThrow().token());
    assertTrue(Await.value(writes.inspect("x")).isEmpty());
    release(reads, "a");
    granted(writes, "w");
    assertEquals("t:w", Await.value(writes.inspect("x")).orElseThrow().token());
    assertTrue(Await.value(reads.inspect("x")).isEmpty());
  }
}
