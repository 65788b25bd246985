package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

@DisplayName("What remains in a foreign format when its holder is gone")
class ForeignEndTest {
  private static final Duration LEASE = Duration.ofMillis(400);
  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServers.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Ops open(String scheme) {
    return Ops.open(server.uri(), "lock.redis-setnx.scheme", scheme);
  }

  private static long pttl(String name) {
    return (Long) server.call("PTTL", name).orElseThrow();
  }

  /** As the gem does it by default: SETNX until it succeeds, without reading what is there. */
  private static boolean rubyWithoutExpirationGetsIn(String name) {
    return server.call("SETNX", name, "1").orElseThrow().equals(1L);
  }

  @Test
  @DisplayName("A Ruby client without an expiration gets in after a holder that is gone")
  void rubyWithoutExpiration() {
    try (Ops store = open("redis-objects")) {
      LeaseKey gone = key("ruby");
      store.acquire(gone, LEASE);
      assertTrue(!rubyWithoutExpirationGetsIn("ruby"), "it is held");
      Await.until("it gets in", Duration.ofSeconds(10), () -> rubyWithoutExpirationGetsIn("ruby"));
    }
  }

  @Test
  @DisplayName("The key ends with its value, whether taken, taken over, or renewed")
  void keyEndsWithItsValue() {
    try (Ops store = open("redis-objects")) {
      server.call("SET", "ends", "1000000000.5");
      LeaseKey mine = key("ends");
      assertTrue(store.takes(mine), "what is over is taken over");
      checkEnds("ends");
      assertEquals(RenewResult.RENEWED, store.renew(mine, Duration.ofSeconds(30)));
      checkEnds("ends");
      assertTrue(pttl("ends") > 30_000, () -> "ends in " + pttl("ends"));
    }
  }

  @Test
  @DisplayName("Also when it is let go and kept for a minimum hold")
  void keptKeyEndsWithItsValue() {
    LockOptions job = LockOptions.builder().atLeast(Duration.ofSeconds(3)).build();
    try (LockManager manager =
        LockManager.open(
            LockSettings.of(
                Map.of(
                    "lock.redis.uri", server.uri(), "lock.redis-setnx.scheme", "redis-objects")))) {
      manager.lock("kept", job).acquire().release();
      checkEnds("kept");
      assertTrue(pttl("kept") <= 6_000, () -> "ends in " + pttl("kept"));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void checkEnds(String name) {
    BigDecimal end = new BigDecimal(server.call("GET", name).orElseThrow().toString());
    long left = pttl(name);
    // Not before its value is over, and not a second after.
    long over = end.movePointRight(3).longValue() - System.currentTimeMillis();
    assertTrue(left >= over - 50 && left <= over + 1000, "ends in " + left + ", value in " + over);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("A lease is kept also while its renewal still runs, and not reported as lost")
  void keptWhileRenewed(TimestampFormat format) {
    String name = "renewed-" + RedisSettings.id(format);
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        Ops store = Ops.format(proxy.uri(), TurnedClock.somewhen(), format)) {
      LeaseKey mine = key(name);
      assertTrue(store.takes(mine));
      Object taken = server.call("GET", name).orElseThrow();
      CompletableFuture<RenewResult> renewing;
      CompletionStage<ReleaseResult> keeping;
      Object renewed;
      try (ActiveFault held = proxy.next(1, CommandMatch.named("EXEC"), CommandFault.holdReply())) {
        renewing = CompletableFuture.supplyAsync(() -> store.renew(mine, Ops.TTL.multipliedBy(2)));
        Await.until("it is done", () -> !server.call("GET", name).orElseThrow().equals(taken));
        assertEquals(1, held.hits());
        renewed = server.call("GET", name).orElseThrow();
        keeping = ((MinimumHold) store.store()).keep(mine, Duration.ofSeconds(1));
      }
      assertEquals(RenewResult.RENEWED, Await.value(renewing));
      assertEquals(ReleaseResult.KEPT, Await.value(keeping));
      assertNotEquals(renewed, server.call("GET", name).orElseThrow(), "it is shortened");
    }
  }

  private static boolean sends(RespProxy proxy, String command) {
    return proxy.recorded().stream().anyMatch(each -> each.command().name().equals(command));
  }

  @ParameterizedTest
  @EnumSource(
      value = SetnxScheme.class,
      mode = Mode.EXCLUDE,
      names = {"SETNX_SCRIPT"})
  @DisplayName("A transaction that arrives after the attempt was given up does nothing")
  void lateTransaction(SetnxScheme scheme) {
    String name = "late-" + RedisSettings.id(scheme);
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        LockManager manager =
            LockManager.over(
                    new RedisSetnxBackend()
                        .open(
                            LockSettings.of(
                                Map.of(
                                    "lock.redis.uri",
                                    proxy.uri(),
                                    "lock.redis-setnx.scheme",
                                    RedisSettings.id(scheme)))))
                .commandTimeout(Duration.ofMillis(1500))
                .build()) {
      manager.lock("connected").acquire().release();
      proxy.record(1000);
      try (ActiveFault held =
          proxy.next(1, CommandMatch.named("MULTI"), CommandFault.holdRequest())) {
        assertThrows(LockStoreException.class, () -> manager.lock(name).tryAcquire());
        assertEquals(1, held.hits());
        Await.until("the release has gone by another connection", () -> sends(proxy, "EXEC"));
        Await.pass(Duration.ofMillis(100)); // and is done
      }
      Await.pass(Duration.ofMillis(300)); // for what was held
      String lock = scheme == SetnxScheme.SETNX_TIMESTAMP ? "lh:{" + name + "}" : name;
      Await.until( // the release may come as late; the lease is longer
          "the lock is free",
          Duration.ofSeconds(10),
          () -> server.call("EXISTS", lock).orElseThrow().equals(0L));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
