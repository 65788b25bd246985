package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore.Answer;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.Await;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Several names in one step, looked at from the server's side. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(ServerKind.class)
class CombinedNamesTest {
  private static final LeaseKey X = new LeaseKey("x", "a:1");
  private static final LeaseKey Y = new LeaseKey("y", "a:2");
  private static final LeaseKey THEIRS = new LeaseKey("y", "b:1");

  private TestServer server;
  private StoreOps ops;

  @Parameter private ServerKind kind;

  @BeforeParameterizedClassInvocation
  void start() {
    server = kind.start();
    ops = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
  }

  @AfterParameterizedClassInvocation
  void stop() {
    if (server == null) {
      return; // not run: no such server here
    }
    ops.close();
    server.close();
    server = null;
  }

  @AfterEach
  void empty() {
    server.admin().flushall();
  }

  private Answer take(List<LeaseKey> keys, LeaseKey... beside) {
    return ops.acquireAll(StoreOps.TTL, keys, beside);
  }

  private static long fence(Answer answer) {
    return ((Answer.Granted) answer).fence().orElseThrow();
  }

  private static Set<Integer> refused(Answer answer) {
    return ((Answer.Refused) answer).held().keySet();
  }

  private Set<String> keys() {
    return new TreeSet<>(server.admin().keys("*"));
  }

  @Test
  void eightNamesAreOneScriptToTakeAndOneToGiveBack() throws Exception {
    String[] names = IntStream.range(0, 8).mapToObj(i -> "n" + i).toArray(String[]::new);
    LockSettings settings =
        LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", server.uri()));
    try (LockManager locks = LockManager.open(settings)) {
      locks.all("warm", "up").acquire().release();
      server.admin().configResetstat();
      Lease lease = locks.all(names).acquire();
      String stats = server.admin().info("commandstats");
      assertTrue(stats.contains("cmdstat_evalsha:calls=1,"), stats);
      for (String name : names) {
        assertEquals(
            Long.toString(lease.fencingToken()), server.admin().get("lh:{" + name + "}:fence"));
        assertTrue(server.admin().pttl("lh:{" + name + "}") > 20_000);
      }
      lease.release();
      stats = server.admin().info("commandstats");
      assertTrue(stats.contains("cmdstat_evalsha:calls=2,"), stats);
      assertTrue(keys().stream().allMatch(key -> key.endsWith(":fence")), () -> "" + keys());
      locks.all(names).acquireAsync().thenCompose(Lease::releaseAsync).toCompletableFuture().join();
      stats = server.admin().info("commandstats");
      assertTrue(stats.contains("cmdstat_evalsha:calls=4,"), stats);
    }
  }

  @Test
  void aKindIsOneScriptToTakeAndOneToGiveBack() throws Exception {
    LockSettings settings =
        LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", server.uri()));
    try (LockManager locks = LockManager.open(settings)) {
      int natively = kind.compareAndDelete().isPresent() ? 1 : 0; // it releases a plain lock
      assertScripts(2 - natively, () -> locks.lock("x").acquire().release());
      assertScripts(2, () -> locks.readWriteLock("x").read().acquire().release());
      assertScripts(2, () -> locks.readWriteLock("x").write().acquire().release());
      assertScripts(2, () -> locks.semaphore("x", 3).acquire(2).release());
      assertScripts(1, () -> locks.latch("x").open(1, Duration.ofMinutes(1)));
      assertScripts(1, () -> locks.latch("x").countDown());
      assertScripts(1, () -> locks.latch("x").await());
    }
  }

  /** What a use does. */
  private interface Use {
    void run() throws InterruptedException;
  }

  private void assertScripts(int calls, Use use) throws InterruptedException {
    use.run(); // scripts are loaded
    server.admin().configResetstat();
    use.run();
    String stats = server.admin().info("commandstats");
    assertTrue(stats.contains("cmdstat_evalsha:calls=" + calls + ","), stats);
  }

  @Test
  void takesAllOrNone() {
    assertEquals(ops.fence(THEIRS), Long.parseLong(server.admin().get("lh:{y}:fence")));
    Set<String> before = keys();
    Answer answer = take(List.of(X, Y));
    assertEquals(Set.of(1), refused(answer));
    long left = ((Answer.Refused) answer).held().get(1).retryAfter().toMillis();
    assertTrue(left > 5_000 && left <= 10_000, () -> "" + left);
    assertEquals(before, keys());
    ops.release(THEIRS);
    assertTrue(fence(take(List.of(X, Y))) > 0);
    assertEquals("a:1", server.admin().get("lh:{x}"));
    assertEquals(ReleaseResult.RELEASED, ops.release(Y));
    assertEquals(ReleaseResult.RELEASED, ops.release(X));
  }

  @Test
  void whatIsKeptForAWaiterIsHeld() {
    server.admin().set("lh:{x}", "+b:1", SetArgs.Builder.px(60_000));
    server.admin().set("lh:{y}", "foreign, without an end");
    Answer answer = take(List.of(X, Y));
    assertEquals(Set.of(0, 1), refused(answer));
    assertEquals(1000, ((Answer.Refused) answer).held().get(1).retryAfter().toMillis());
  }

  @Test
  void oneFenceIsLargerThanAllBefore() {
    long ahead = System.currentTimeMillis() * 1000 + TimeUnit.DAYS.toMicros(1);
    server.admin().set("lh:{y}:fence", ahead + "+7");
    long token = fence(take(List.of(X, Y)));
    assertEquals(ahead + 8, token);
    for (LeaseKey key : List.of(X, Y)) {
      assertEquals(Long.toString(token), server.admin().get("lh:{" + key.name() + "}:fence"));
      ops.release(key);
      assertTrue(ops.fence(new LeaseKey(key.name(), "c:1")) > token);
    }
  }

  @Test
  void aRepeatedRequestChangesNothing() {
    long token = fence(ops.acquireAll(Duration.ofSeconds(60), List.of(X, Y)));
    assertEquals(token, fence(take(List.of(X, Y))));
    assertTrue(server.admin().pttl("lh:{y}") > 50_000);
    ops.release(X);
    assertTrue(fence(take(List.of(X, Y))) > token, "one of them was free meanwhile");
  }

  @Test
  void whatIsHeldBesideGetsTheFenceToo() {
    long alone = ops.fence(Y);
    long token = fence(take(List.of(X), Y));
    assertTrue(token > alone);
    assertEquals(Long.toString(token), server.admin().get("lh:{y}:fence"));
    ops.release(X);
    server.admin().del("lh:{y}");
    assertEquals(Set.of(1), refused(take(List.of(X), Y)));
    assertEquals(0, server.admin().exists("lh:{x}", "lh:{y}"));
  }

  @Test
  void whatIsNoFenceEndsItBeforeAnythingIsTaken() {
    server.admin().set("lh:{y}:fence", "nonsense");
    assertThrows(LockStoreException.class, () -> take(List.of(X, Y)));
    server.admin().set("lh:{y}:fence", "9007199254740991");
    assertThrows(LockStoreException.class, () -> take(List.of(X, Y)));
    server.admin().del("lh:{y}:fence");
    server.admin().rpush("lh:{y}", "no lock");
    assertThrows(LockStoreException.class, () -> take(List.of(X, Y)));
    assertEquals(Set.of("lh:{y}"), keys());
  }

  @Test
  void eachIsGivenBackWhateverBecomesOfTheOthers() {
    ops.fence(THEIRS);
    ops.fence(X);
    assertEquals(
        List.of(ReleaseResult.RELEASED, ReleaseResult.NOT_OWNER, ReleaseResult.NOT_OWNER),
        ops.releaseAll(X, Y, new LeaseKey("z", "a:3")));
    assertEquals("b:1", server.admin().get("lh:{y}"));
    assertEquals(ReleaseResult.NOT_OWNER, ops.releaseAll(X, THEIRS).get(0), "given back again");
    assertTrue(keys().stream().allMatch(key -> key.endsWith(":fence")), () -> "" + keys());
  }

  @Test
  void whatIsNoLockKeepsNoOther() {
    take(List.of(X, Y));
    server.admin().del("lh:{x}");
    server.admin().rpush("lh:{x}", "no lock");
    LockStoreException failed = assertThrows(LockStoreException.class, () -> ops.releaseAll(X, Y));
    assertTrue(failed.getMessage().contains("release, with 1 other, lock 'x'"), failed::getMessage);
    assertEquals(1, server.admin().exists("lh:{x}", "lh:{y}"));
  }

  @Test
  void whoWaitsForOneOfThemIsWoken() throws Exception {
    LockSettings settings =
        LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", server.uri()));
    try (LockManager mine = LockManager.open(settings);
        LockManager theirs = LockManager.open(settings)) {
      Duration late = Duration.ofMinutes(1);
      LockOptions patient = LockOptions.builder().waitStrategy(WaitStrategy.every(late)).build();
      Lease lease = mine.all("x", "y", "z").acquire();
      List<CompletableFuture<Lease>> asked =
          Stream.of("x", "z")
              .map(name -> theirs.lock(name, patient).acquireAsync().toCompletableFuture())
              .toList();
      Await.until(
          "both stand in line", () -> server.admin().exists("lh:{x}:wait", "lh:{z}:wait") == 2);
      lease.release();
      for (CompletableFuture<Lease> one : asked) {
        one.get(30, TimeUnit.SECONDS).release();
      }
      theirs.lock("y").tryAcquire().orElseThrow().release();
    }
  }

  @Test
  void whoHadToWaitIsWokenAndHasOneToken() throws Exception {
    LockSettings settings =
        LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", server.uri()));
    try (LockManager mine = LockManager.open(settings);
        LockManager theirs = LockManager.open(settings)) {
      // Neither the end of a lease nor a question now and then explains why it is quick.
      Duration late = Duration.ofMinutes(1);
      LockOptions patient = LockOptions.builder().waitStrategy(WaitStrategy.every(late)).build();
      Lease held = theirs.lock("y", LockOptions.fixed(late)).acquire();
      CompletableFuture<Lease> asked =
          mine.all(List.of("x", "y"), patient).acquireAsync().toCompletableFuture();
      Await.until("it is in line", () -> server.admin().zcard("lh:{y}:wait") == 1);
      assertEquals(0, server.admin().exists("lh:{x}", "lh:{x}:wait"), "it holds nothing");
      long before = held.fencingToken();
      held.release();
      Lease lease = asked.get(30, TimeUnit.SECONDS);
      long token = lease.fencingToken();
      assertTrue(token > before);
      assertEquals(Long.toString(token), server.admin().get("lh:{x}:fence"));
      assertEquals(Long.toString(token), server.admin().get("lh:{y}:fence"));
      assertTrue(theirs.lock("x").tryAcquire().isEmpty());
      lease.release();
      try (Lease next = theirs.lock("y").acquire()) {
        assertTrue(next.fencingToken() > token);
      }
    }
  }
}
