package dev.leasehold.examples.together;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Backends on the same keys exclude each other, so that services can change one by one")
class SameKeysTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServers.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static LockManager open(String backend) {
    return LockManager.open(
        LockSettings.of(Map.of("lock.backend", backend, "lock.redis.uri", server.uri())));
  }

  @ParameterizedTest(name = "{0} holds, {1} contends")
  @CsvSource({"redis-set, redis-setnx", "redis-setnx, redis-set"})
  @DisplayName("Held by one is held for the other; a release wakes it, and its token is larger")
  void exclude(String one, String two) throws Exception {
    String name = "same-" + one;
    try (LockManager holding = open(one);
        LockManager contending = open(two)) {
      Duration best = SECOND;
      for (int i = 0; i < 3 && best.compareTo(SECOND) >= 0; i++) {
        best = handedOver(name, holding, contending);
      }
      Duration took = best;
      assertTrue(took.compareTo(SECOND) < 0, () -> "woken, not found out by asking: " + took);
    }
  }

  /** How long the waiter took, on a machine that may stall. */
  private static Duration handedOver(String name, LockManager holding, LockManager contending)
      throws Exception {
    Lease held = holding.lock(name).acquire();
    assertEquals(Optional.empty(), contending.lock(name).tryAcquire());
    assertTrue(contending.lock(name).inspect().isPresent());
    CompletableFuture<Lease> waiting = contending.lock(name).acquireAsync().toCompletableFuture();
    Await.until("it waits in the common line", () -> waiters(name) == 1);
    long released = System.nanoTime();
    held.release();
    Lease next = Await.value(waiting);
    Duration took = Duration.ofNanos(System.nanoTime() - released);
    assertTrue(next.fencingToken() > held.fencingToken());
    next.release();
    return took;
  }

  @ParameterizedTest(name = "{0}, then {1}")
  @CsvSource({"redis-set, redis-setnx", "redis-setnx, redis-set"})
  @DisplayName("A lease that ends is free for the other")
  void takesOver(String one, String two) throws Exception {
    String name = "over-" + one;
    try (LockManager holding = open(one);
        LockManager contending = open(two)) {
      Lease brief = holding.lock(name, LockOptions.fixed(Duration.ofMillis(200))).acquire();
      Lease next = contending.lock(name).tryAcquire(SECOND.multipliedBy(5)).orElseThrow();
      assertTrue(!brief.isValid());
      assertTrue(next.fencingToken() > brief.fencingToken());
      next.release();
    }
  }

  private static long waiters(String name) {
    return (Long) server.call("ZCARD", "lh:{" + name + "}:wait").orElse(0L);
  }
}
