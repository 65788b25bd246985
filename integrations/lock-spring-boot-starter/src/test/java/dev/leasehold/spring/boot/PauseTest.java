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
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.set.RedisSetLocks;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.LogLines;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Spring 7 pauses the contexts that its tests keep. */
@DisplayName("Contexts that are paused and restarted")
class PauseTest {
  @AutoClose private static final RedisServer server = RedisServers.start();

  private final String name = "paused-" + UUID.randomUUID();

  /** Whether this Spring can. */
  private static boolean canPause() {
    return Stream.of(ConfigurableApplicationContext.class.getMethods())
        .anyMatch(method -> method.getName().equals("pause"));
  }

  /** As Spring 7 does it; before, by hand: what takes part in a pause stops and starts. */
  private static void pause(ConfigurableApplicationContext context) throws Exception {
    if (canPause()) {
      ConfigurableApplicationContext.class.getMethod("pause").invoke(context);
      ConfigurableApplicationContext.class.getMethod("restart").invoke(context);
      return;
    }
    List<SmartLifecycle> paused =
        context.getBeansOfType(SmartLifecycle.class).values().stream()
            .filter(SmartLifecycle::isRunning)
            .filter(bean -> !(bean instanceof LockManagerLifecycle locks) || locks.isPauseable())
            .sorted(Comparator.comparingInt(SmartLifecycle::getPhase))
            .toList();
    for (int i = paused.size() - 1; i >= 0; i--) {
      CompletableFuture<Void> stopped = new CompletableFuture<>();
      paused.get(i).stop(() -> stopped.complete(null));
      Await.value(stopped);
    }
    paused.forEach(SmartLifecycle::start);
  }

  private void goesOn(List<String> properties, Class<?>... beans) throws Exception {
    List<String> all = new ArrayList<>(properties);
    all.add("leasehold.wait.longest=1m"); // waiters are woken, or this fails
    try (ConfigurableApplicationContext context = Apps.start(server, all, beans)) {
      DistributedLock lock = context.getBean(LockManager.class).lock(name);
      DistributedLock rival = lock.as(LockOwner.unique("rival"));
      CompletableFuture<Lease> next;
      try (Lease before = lock.acquire()) {
        next = rival.acquireAsync().toCompletableFuture();
        assertFalse(context.getBean(LockManagerLifecycle.class).isPauseable());
        pause(context);
        assertTrue(before.extend(Duration.ofMinutes(1)));
        assertTrue(rival.tryAcquire().isEmpty());
        assertFalse(next.isDone());
      }
      try (Lease after = Await.value(next)) {
        assertTrue(after.isValid());
      }
    }
  }

  @Test
  @DisplayName("Locks on their own connection continue, and so do their leases")
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
  @DisplayName("And those on a Lettuce whose threads are the application's, as Boot makes it")
  void lettuce() throws Exception {
    goesOn(List.of());
  }

  @Test
  @DisplayName("A manager whose threads end with their factory is closed first, and a log says so")
  void threadsOfTheFactory() throws Exception {
    // Boot's start takes handlers away: so this begins after it.
    try (ConfigurableApplicationContext context =
            Apps.start(server, List.of(), ConnectionsTest.ByInterface.class);
        LogLines log = new LogLines("dev.leasehold.spring")) {
      LockManager locks = context.getBean(LockManager.class);
      LockManagerLifecycle lifecycle = context.getBean(LockManagerLifecycle.class);
      assertTrue(lifecycle.isPauseable());
      pause(context);
      assertThrows(LockManagerClosedException.class, () -> locks.lock(name));
      assertEquals(
          1, log.lines().stream().filter(line -> line.contains("cache.pause=never")).count());
    }
  }

  /** A manager that the application makes itself. */
  static class OwnManager {
    @Bean
    LockManager locks(
        RedisConnectionFactory factory, @Value("${spring.data.redis.port}") int port) {
      LettuceConnectionFactory lettuce = (LettuceConnectionFactory) factory;
      RedisClient client = (RedisClient) lettuce.getRequiredNativeClient();
      return RedisSetLocks.over(client, RedisURI.create("127.0.0.1", port)).manager();
    }
  }

  @Test
  @DisplayName(
      "The application's own client continues, or its end with such threads gives no" + " warning")
  void ownManager() throws Exception {
    goesOn(List.of(), OwnManager.class);
    try (ConfigurableApplicationContext context =
            Apps.start(server, List.of(), ConnectionsTest.ByInterface.class, OwnManager.class);
        LogLines log = new LogLines("dev.leasehold.spring")) {
      DistributedLock lock = context.getBean(LockManager.class).lock(name);
      lock.tryAcquire().orElseThrow().release();
      assertFalse(context.getBean(LockManagerLifecycle.class).isPauseable());
      pause(context);
      assertThrows(LockStoreException.class, lock::tryAcquire);
      assertEquals(List.of(), log.lines());
    }
  }
}
