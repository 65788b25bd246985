package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.testkit.LogLines;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Spring 7 pauses the contexts that its tests keep; before, a context can only be stopped. */
@DisplayName("Contexts that are paused and restarted")
class PauseTest {
  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServers.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** Whether this Spring can. */
  private static boolean paused(ConfigurableApplicationContext context) throws Exception {
    Optional<String> can =
        Stream.of(ConfigurableApplicationContext.class.getMethods())
            .map(method -> method.getName())
            .filter("pause"::equals)
            .findAny();
    if (can.isEmpty()) {
      return false;
    }
    ConfigurableApplicationContext.class.getMethod("pause").invoke(context);
    ConfigurableApplicationContext.class.getMethod("restart").invoke(context);
    return true;
  }

  private static void goesOn(List<String> properties, Class<?>... beans) throws Exception {
    try (ConfigurableApplicationContext context = Apps.start(server, properties, beans)) {
      DistributedLock lock = context.getBean(LockManager.class).lock("paused");
      DistributedLock rival = lock.as(LockOwner.named("rival"));
      try (Lease before = lock.acquire()) {
        assertFalse(context.getBean(LockManagerLifecycle.class).isPauseable());
        paused(context);
        assertTrue(before.isValid());
        assertTrue(rival.tryAcquire().isEmpty());
      }
      try (Lease after = rival.tryAcquire().orElseThrow()) {
        assertTrue(after.isValid());
      }
    }
  }

  @Test
  @DisplayName("Locks on a connection of their own go on, and leases with them")
  void ownConnection() throws Exception {
    goesOn(List.of("leasehold.backend=redis-set", "leasehold.redis.uri=" + server.uri()));
  }

  @Test
  @DisplayName("So do those beside Jedis' pool")
  void jedis() throws Exception {
    goesOn(List.of("spring.data.redis.client-type=jedis"));
  }

  @Test
  @DisplayName("And those on a Redisson")
  void redisson() throws Exception {
    goesOn(List.of(), ConnectionsTest.WithRedisson.class);
  }

  @Test
  @DisplayName("A manager whose client ends with its factory is closed first, and a log says so")
  void lettuce() throws Exception {
    // Boot's start takes handlers away: so this begins after it.
    try (ConfigurableApplicationContext context = Apps.start(server, List.of());
        LogLines log = new LogLines("dev.leasehold.spring")) {
      LockManager locks = context.getBean(LockManager.class);
      LockManagerLifecycle lifecycle = context.getBean(LockManagerLifecycle.class);
      assertTrue(lifecycle.isPauseable());
      if (!paused(context)) {
        lifecycle.stop();
        lifecycle.start();
      }
      assertThrows(LockManagerClosedException.class, () -> locks.lock("paused"));
      assertEquals(
          1, log.lines().stream().filter(line -> line.contains("cache.pause=never")).count());
    }
  }
}
