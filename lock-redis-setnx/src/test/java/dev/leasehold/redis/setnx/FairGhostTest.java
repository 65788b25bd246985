package dev.leasehold.redis.setnx;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** As the test of the same name beside redis-set: its listener is another one. */
@DisplayName("lock.redis.fair: a place without a waiter")
class FairGhostTest {
  private static final Duration FAR = Duration.ofSeconds(20);

  @Test
  @DisplayName("FA-3 costs the next waiter of the same process a second at most")
  void one() throws Exception {
    try (RedisServer server = RedisServers.start()) {
      LockSettings settings =
          LockSettings.of(
              Map.of(
                  "lock.redis.uri",
                  server.uri(),
                  "lock.redis.fair",
                  "true",
                  "lock.wait.longest",
                  FAR.toSeconds() + "s"));
      try (LockManager holder = LockManager.open(settings);
          LockManager process = LockManager.open(settings)) {
        Lease held = holder.lock("x").acquire();
        CompletableFuture<Lease> next = process.lock("x").acquireAsync().toCompletableFuture();
        Await.until("it stands in the line", () -> first(server).isPresent());
        String store = first(server).orElseThrow().replaceAll(":.*", "");
        server.call("ZADD", "lh:{x}:wait", "1", store + ":gone");
        long released = System.nanoTime();
        held.release();
        next.get(FAR.multipliedBy(2).toSeconds(), TimeUnit.SECONDS).release();
        Duration took = Duration.ofNanos(System.nanoTime() - released);
        assertTrue(
            took.compareTo(FAR.dividedBy(2)) < 0, () -> "it took " + took.toMillis() + " ms");
      }
    }
  }

  private static Optional<String> first(RedisServer server) {
    return server.call("ZRANGE", "lh:{x}:wait", "0", "0").stream()
        .flatMap(line -> ((List<?>) line).stream())
        .map(String::valueOf)
        .findFirst();
  }
}
