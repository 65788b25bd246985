package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.MultiLockStore.Answer;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.redis.common.FencedNode;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock counts when replicas have it. */
class ReplicasTest {
  private static final LeaseKey A = new LeaseKey("x", "a:1");
  private static TestServer primary;
  private static TestServer replica;

  @BeforeAll
  static void start() {
    primary = ServerKind.EMBEDDED.start("--repl-diskless-sync-delay", "0");
    replica =
        ServerKind.EMBEDDED.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()));
    Await.until(
        "the replica is linked",
        () -> replica.admin().info("replication").contains("master_link_status:up"));
  }

  @AfterAll
  static void stop() {
    primary.close();
    replica.close();
  }

  @BeforeEach
  void empty() {
    Await.until(
        "the primary knows of its replica",
        () -> primary.admin().info("replication").contains("state=online"));
    primary.admin().flushall();
  }

  private static StoreOps open(String mode, int replicas) {
    return open(primary, mode, replicas, replicas > 1 ? "50ms" : "1900ms");
  }

  private static StoreOps open(TestServer server, String mode, int replicas, String within) {
    return StoreOps.open(settings(server, mode, replicas, within));
  }

  private static Map<String, String> settings(
      TestServer server, String mode, int replicas, String within) {
    return Map.of(
        "lock.redis.uri",
        server.uri(),
        "lock.redis-set.mode",
        mode,
        "lock.redis-set.wait-replicas",
        Integer.toString(replicas),
        "lock.redis-set.wait-timeout",
        within);
  }

  /** That it fails, and long before replicas have had their time, which is 1.9 s. */
  private static void assertFailsAtOnce(StoreOps store, LeaseKey key) {
    long begun = System.nanoTime();
    LockStoreException e = assertThrows(LockStoreException.class, () -> store.acquire(key));
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    assertEquals(Kind.UNAVAILABLE, e.kind());
    assertTrue(e.getMessage().endsWith(": 0 of 1 replicas are connected"), e.getMessage());
    assertTrue(took.compareTo(Duration.ofSeconds(1)) < 0, () -> "it took " + took);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fenced", "plain"})
  void noneIsConnectedSoItFailsAtOnce(String mode) {
    String key = mode.equals("plain") ? "x" : "lh:{x}";
    try (TestServer lonely = ServerKind.EMBEDDED.start();
        StoreOps store = open(lonely, mode, 1, "1900ms")) {
      for (int i = 0; i < 3; i++) {
        assertFailsAtOnce(store, A);
        assertEquals(0, lonely.admin().exists(key), "nothing is left behind");
      }
    }
  }

  @Test
  void aNodeOfAQuorumAsksForThemWhateverItTakes() {
    try (TestServer lonely = ServerKind.EMBEDDED.start()) {
      String run = lonely.admin().info("server").replaceAll("(?s).*run_id:(\\w+).*", "$1");
      lonely.admin().hset("lh:node", Map.of("run", run, "since", "0", "longest", "0"));
      LockSettings settings = LockSettings.of(settings(lonely, "fenced", 1, "1900ms"));
      try (StoreOps node = new StoreOps(RedisSetLocks.node(settings, StoreOps.TTL))) {
        FencedNode store = (FencedNode) node.store();
        assertFailsAtOnce(node, A);
        List<LeaseStore> views = List.of(store.reads(), store.writes(), store.slots(List.of(0), 1));
        for (int i = 0; i < views.size(); i++) {
          assertFailsAtOnce(new StoreOps(views.get(i)), new LeaseKey("x" + i, "a:1"));
        }
      }
    }
  }

  @Test
  void oneThatGoesIsToldAtOnceAndOneThatComesBackCounts() {
    try (StoreOps store = open(primary, "fenced", 1, "1900ms")) {
      for (int i = 0; i < 2; i++) { // from the second time on it is known that there is one
        assertInstanceOf(Granted.class, store.acquire(A));
        store.release(A);
      }
      replica.admin().replicaofNoOne();
      Await.until(
          "the primary knows that it has none",
          () -> primary.admin().info("replication").contains("connected_slaves:0"));
      assertFailsAtOnce(store, A);
      // Its own connection waits for all of the replicas' time, this once: nothing is undone behind
      // the caller's back, which may have asked again meanwhile.
      assertEquals(1, primary.admin().exists("lh:{x}"));
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      assertEquals(0, primary.admin().exists("lh:{x}"));
      assertFailsAtOnce(store, A);
      replica.admin().replicaof("127.0.0.1", primary.port());
      Await.until("the store is granted locks again", () -> acquires(store));
    }
  }

  private static boolean acquires(StoreOps store) {
    try {
      return store.acquire(A) instanceof Granted;
    } catch (LockStoreException notYetOnline) {
      return false;
    }
  }

  /** A first, brief look at replicas is not the last word where they are slow. */
  @Test
  void oneThatIsSlowHasAllOfItsTime() throws Exception {
    try (StoreOps store = open(primary, "fenced", 1, "1900ms")) {
      replica.pause();
      CompletableFuture<?> given =
          store
              .store()
              .acquire(new AcquireRequest(A, StoreOps.TTL, IfHeld.REFUSE))
              .toCompletableFuture();
      try {
        Await.until("the primary has it", () -> primary.admin().exists("lh:{x}") == 1);
        TimeUnit.MILLISECONDS.sleep(200); // ten times as long as the first look
        assertFalse(given.isDone());
      } finally {
        replica.resume();
      }
      assertInstanceOf(Granted.class, given.get(5, TimeUnit.SECONDS));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fenced", "plain"})
  void grantedWhenEnoughHaveIt(String mode) {
    String key = mode.equals("plain") ? "x" : "lh:{x}";
    try (StoreOps store = open(mode, 1)) {
      assertInstanceOf(Granted.class, store.acquire(A));
      assertEquals("a:1", replica.admin().get(key), "the replica has it already");
      assertEquals(RenewResult.RENEWED, store.renew(A, Duration.ofMinutes(1)));
      assertTrue(replica.admin().pttl(key) > 50_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fenced", "plain"})
  void refusedAndFreedWhenTooFewHaveItAndSaysHowMany(String mode) {
    String key = mode.equals("plain") ? "x" : "lh:{x}";
    try (StoreOps store = open(mode, 2)) {
      LockStoreException e = assertThrows(LockStoreException.class, () -> store.acquire(A));
      assertEquals(Kind.UNAVAILABLE, e.kind());
      assertTrue(e.getMessage().endsWith(": 1 of 2 replicas are connected"), e.getMessage());
      assertEquals(0, primary.admin().exists(key), "nothing is left behind");
      try (StoreOps plain = open(mode, 0)) {
        assertInstanceOf(Granted.class, plain.acquire(A));
        assertThrows(LockStoreException.class, () -> store.renew(A, Duration.ofMinutes(1)));
        assertInstanceOf(
            Held.class,
            store.acquire(new LeaseKey("x", "b:2"), StoreOps.TTL, IfHeld.REFUSE),
            "a refusal is an answer, whichever replicas acknowledge");
      }
    }
  }

  @Test
  void severalAtOnceCountWhenEnoughHaveThem() {
    LeaseKey y = new LeaseKey("y", "a:2");
    try (StoreOps store = open("fenced", 1)) {
      assertInstanceOf(Answer.Granted.class, store.acquireAll(StoreOps.TTL, List.of(A, y)));
      assertEquals("a:1", replica.admin().get("lh:{x}"), "the replica has them already");
      assertEquals("a:2", replica.admin().get("lh:{y}"));
    }
  }

  @Test
  void severalAtOnceAreRefusedAndFreedWhenTooFewHaveThem() {
    LeaseKey y = new LeaseKey("y", "a:2");
    LeaseKey z = new LeaseKey("z", "a:3");
    try (StoreOps store = open("fenced", 2);
        StoreOps alone = open("fenced", 0)) {
      LockStoreException e =
          assertThrows(
              LockStoreException.class, () -> store.acquireAll(StoreOps.TTL, List.of(A, y)));
      assertEquals(Kind.UNAVAILABLE, e.kind());
      assertTrue(e.getMessage().endsWith(": 1 of 2 replicas are connected"), e.getMessage());
      assertEquals(0, primary.admin().exists("lh:{x}", "lh:{y}"), "nothing is left behind");
      assertInstanceOf(Granted.class, alone.acquire(z));
      assertThrows(
          LockStoreException.class, () -> store.acquireAll(StoreOps.TTL, List.of(A, y), z));
      assertEquals(0, primary.admin().exists("lh:{x}", "lh:{y}"), "nothing is left behind");
      assertEquals("a:3", primary.admin().get("lh:{z}"), "but what was held before");
      assertInstanceOf(
          Answer.Refused.class,
          store.acquireAll(StoreOps.TTL, List.of(A, new LeaseKey("z", "b:1"))),
          "a refusal is an answer, whichever replicas acknowledge");
    }
  }

  /**
   * On another connection {@code WAIT} of a recent server waits only for what the repetition itself
   * has written; an old one waits for all that was written before.
   */
  @ParameterizedTest
  @CsvSource({"EMBEDDED, open", "EMBEDDED, count down", "REDIS_8, open", "REDIS_8, count down"})
  void whatALatchIsToldAgainDoesNotCountWhileNoReplicaHasIt(ServerKind kind, String what) {
    LeaseKey round = new LeaseKey("x", "r:1");
    Function<StoreOps, CompletionStage<Boolean>> told =
        store ->
            what.equals("open")
                ? latches(store).open(round, 2, StoreOps.TTL)
                : latches(store).countDown(A);
    try (TestServer first = kind.start("--repl-diskless-sync-delay", "0");
        TestServer second = kind.start("--replicaof", "127.0.0.1", "" + first.port());
        StoreOps store = open(first, "fenced", 1, "100ms");
        StoreOps other = open(first, "fenced", 1, "100ms")) {
      Await.until(
          "the replica is linked",
          () -> first.admin().info("replication").contains("state=online"));
      if (!what.equals("open")) {
        Await.until(
            "the write is acknowledged",
            () -> isAcknowledged(() -> latches(store).open(round, 2, StoreOps.TTL)));
      }
      second.pause();
      for (StoreOps each : List.of(store, other)) {
        LockStoreException e =
            assertThrows(LockStoreException.class, () -> Await.value(told.apply(each)));
        assertEquals(Kind.UNAVAILABLE, e.kind());
      }
      second.resume();
      Await.until("the write is acknowledged", () -> isAcknowledged(() -> told.apply(other)));
    }
  }

  @ParameterizedTest
  @CsvSource({"EMBEDDED, fenced", "REDIS_8, fenced", "REDIS_8, plain"})
  void norDoesAShorterRenewalWhileNoReplicaHasTheLongerOne(ServerKind kind, String mode) {
    try (TestServer first = kind.start("--repl-diskless-sync-delay", "0");
        TestServer second = kind.start("--replicaof", "127.0.0.1", "" + first.port());
        StoreOps store = open(first, mode, 1, "100ms");
        StoreOps other = open(first, mode, 1, "100ms")) {
      Await.until(
          "the replica is linked",
          () -> first.admin().info("replication").contains("state=online"));
      Await.until("the replica acknowledges", () -> acquires(store));
      second.pause();
      assertThrows(LockStoreException.class, () -> store.renew(A, StoreOps.TTL.multipliedBy(3)));
      LockStoreException e =
          assertThrows(LockStoreException.class, () -> Await.value(renewal(other)));
      assertEquals(Kind.UNAVAILABLE, e.kind());
      second.resume();
      Await.until("the write is acknowledged", () -> isAcknowledged(() -> renewal(other)));
    }
  }

  /** Its first answer was lost; meanwhile less of its time is left. */
  @ParameterizedTest
  @CsvSource({"fenced, one", "fenced, two", "plain, one"})
  void norDoesAnAcquisitionThatIsRepeatedWhileNoReplicaHasIt(String mode, String what) {
    try (TestServer first = ServerKind.REDIS_8.start("--repl-diskless-sync-delay", "0");
        TestServer second =
            ServerKind.REDIS_8.start("--replicaof", "127.0.0.1", "" + first.port());
        StoreOps store = open(first, mode, 1, "1900ms"); // takes its write back only then
        StoreOps other = open(first, mode, 1, "100ms")) {
      Await.until(
          "the replica is linked",
          () -> first.admin().info("replication").contains("state=online"));
      Await.until("the replica acknowledges", () -> acquires(store));
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      second.pause();
      CompletableFuture<?> lost = taking(store, what, StoreOps.TTL.multipliedBy(2));
      Await.until("the first has been there", () -> first.admin().exists("x", "lh:{x}") > 0);
      lost.cancel(true);
      String key = mode.equals("plain") ? "x" : "lh:{x}";
      assertTrue(first.admin().pttl(key) > StoreOps.TTL.toMillis(), "it is there, and for longer");
      LockStoreException e =
          assertThrows(
              LockStoreException.class, () -> Await.value(taking(other, what, StoreOps.TTL)));
      assertEquals(Kind.UNAVAILABLE, e.kind());
      second.resume();
      Await.until(
          "the write is acknowledged",
          () -> isAcknowledged(() -> taking(other, what, StoreOps.TTL)));
    }
  }

  private static CompletableFuture<?> taking(StoreOps store, String what, Duration ttl) {
    AcquireRequest request = new AcquireRequest(A, ttl, IfHeld.REFUSE);
    AcquireRequest more = new AcquireRequest(new LeaseKey("y", "a:2"), ttl, IfHeld.REFUSE);
    return what.equals("one")
        ? store.store().acquire(request).toCompletableFuture()
        : ((MultiLockStore) store.store())
            .acquireAll(List.of(request, more), List.of())
            .toCompletableFuture();
  }

  private static CompletionStage<RenewResult> renewal(StoreOps store) {
    return store.store().renew(List.of(new RenewRequest(A, StoreOps.TTL.multipliedBy(2)))).get(0);
  }

  /** On a busy machine even a replica that is well may come too late. */
  private static boolean isAcknowledged(Supplier<CompletionStage<?>> question) {
    try {
      Await.value(question.get());
      return true;
    } catch (LockStoreException notInTime) {
      return false;
    }
  }

  private static Latches latches(StoreOps store) {
    return ((LatchStore) store.store()).latches();
  }

  private static boolean isBlocked(int clients) {
    return primary.admin().info("clients").contains("blocked_clients:" + clients);
  }

  /** Its token may have been asked with again, and granted. */
  @ParameterizedTest
  @ValueSource(strings = {"fenced", "plain"})
  void anAttemptThatWasGivenUpIsNotUndoneLater(String mode) throws Exception {
    String key = mode.equals("plain") ? "x" : "lh:{x}";
    replica.pause();
    try (StoreOps store = open(primary, mode, 1, "1500ms")) {
      CompletableFuture<?> given =
          store
              .store()
              .acquire(new AcquireRequest(A, StoreOps.TTL, IfHeld.REFUSE))
              .toCompletableFuture();
      Await.until("replicas are waited for", () -> isBlocked(1));
      assertTrue(given.cancel(true), "replicas have not answered yet");
      Await.until("replicas have had their time", () -> isBlocked(0));
      TimeUnit.MILLISECONDS.sleep(200); // for what might follow
      assertEquals("a:1", primary.admin().get(key));
    } finally {
      replica.resume();
    }
  }
}
