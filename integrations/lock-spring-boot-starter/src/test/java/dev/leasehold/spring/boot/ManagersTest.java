package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.methods.CurrentLease;
import dev.leasehold.methods.Locked;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Heard;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

@DisplayName("Managers of the application's own, their health and their end")
class ManagersTest {
  @AutoClose private static final RedisServer server = RedisServers.start();

  static LockManager open(int port) {
    return LockManager.open(
        LockSettings.of(
            Map.of("lock.backend", "redis-set", "lock.redis.uri", "redis://127.0.0.1:" + port)));
  }

  /** An application with two, of which one is not asked for. */
  static class Two {
    static final AtomicInteger LAZY = new AtomicInteger();

    @Bean
    LockManager first(@Value("${spring.data.redis.port}") int port) {
      return open(port);
    }

    @Bean
    @Lazy
    LockManager second(@Value("${spring.data.redis.port}") int port) {
      LAZY.incrementAndGet();
      return open(port);
    }
  }

  @Test
  @DisplayName("Two do not stop the context; at its end those that were made are closed")
  void two() {
    LockManager first;
    try (ConfigurableApplicationContext context = Apps.start(server, List.of(), Two.class)) {
      first = context.getBean("first", LockManager.class);
      assertFalse(context.containsBean(Apps.HEALTH));
      context.getBean(LockManagerLifecycle.class).stop();
      assertThrows(LockManagerClosedException.class, () -> first.lock("closed"));
    }
    assertEquals(0, Two.LAZY.get());
  }

  @Test
  @DisplayName("Health indicators are off by default where the application says so")
  void healthOff() {
    String none = "management.health.defaults.enabled=false";
    try (ConfigurableApplicationContext context = Apps.start(server, List.of(none))) {
      assertFalse(context.containsBean(Apps.HEALTH));
    }
    try (ConfigurableApplicationContext context =
        Apps.start(server, List.of(none, "management.health.leasehold.enabled=true"))) {
      assertTrue(context.containsBean(Apps.HEALTH));
    }
  }

  /** A bean with a method that has a lock. */
  static class Job {
    @Locked(name = "off", waitFor = "0s")
    public boolean hasLease(@CurrentLease Lease lease) {
      return lease != null;
    }
  }

  @Test
  @DisplayName("leasehold.enabled = false: no manager, no connection, and methods without locks")
  void off() {
    List<String> off =
        List.of("leasehold.enabled=false", "leasehold.redis.uri=redis://127.0.0.1:1");
    try (LockManager others = open(server.port());
        Lease held = others.lock("off").tryAcquire().orElseThrow();
        ConfigurableApplicationContext context = Apps.start(server, off, Job.class)) {
      assertTrue(held.isValid());
      assertEquals(0, context.getBeanNamesForType(LockManager.class).length);
      assertFalse(context.containsBean(Apps.HEALTH));
      assertFalse(context.getBean(Job.class).hasLease(null));
    }
  }

  @Test
  @DisplayName("A login that may not read the health check's name is up: the server answered")
  void notAllowed() {
    server.call("ACL", "SETUSER", "shop", "on", ">secret", "+@all", "~*shop*", "&*");
    String uri = "redis://shop:secret@127.0.0.1:" + server.port();
    try (LockManager shop =
        LockManager.open(
            LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", uri)))) {
      assertEquals(
          LockStoreException.Kind.REFUSED,
          assertThrows(LockStoreException.class, () -> shop.lock("other").inspect()).kind());
      assertTrue(new LockHealth(shop, new NodesDown()).check().containsKey("guarantees"));
    }
  }

  @Test
  @DisplayName("A call that does not end is not waited for until the phase is over")
  void bounded() {
    // A phase that is longer than this test waits, of which closing leaves little.
    List<String> brief =
        List.of("spring.lifecycle.timeout-per-shutdown-phase=5m", "leasehold.close-grace=298900ms");
    try (ConfigurableApplicationContext context = Apps.start(server, brief);
        Heard heard = new Heard()) {
      LockManager manager = context.getBean(LockManager.class);
      context.getBean(RunningCalls.class).began();
      CompletableFuture<Void> ended = new CompletableFuture<>();
      context.getBean(LockManagerLifecycle.class).stop(() -> ended.complete(null));
      Await.value(ended);
      assertTrue(heard.all().contains("methods still run after 100ms:"), heard::all);
      assertThrows(LockManagerClosedException.class, () -> manager.lock("late"));
      Object health = Apps.health(context);
      assertTrue(health.toString().startsWith("DOWN"), health::toString);
      assertTrue(health.toString().contains("LockManagerClosedException"), health::toString);
    }
  }

  /** An application's own manager, with the default grace. */
  static class Own {
    @Bean
    LockManager own(@Value("${spring.data.redis.port}") int port) {
      return open(port);
    }
  }

  @Test
  @DisplayName(
      "leasehold.close-grace takes no time from methods under an application's own manager")
  void ownGrace() {
    List<String> long40 = List.of("leasehold.close-grace=40s");
    try (ConfigurableApplicationContext context = Apps.start(server, long40, Own.class);
        Heard heard = new Heard()) {
      RunningCalls calls = context.getBean(RunningCalls.class);
      calls.began();
      CompletableFuture<Void> ended = new CompletableFuture<>();
      context.getBean(LockManagerLifecycle.class).stop(() -> ended.complete(null));
      assertThrows(TimeoutException.class, () -> ended.get(100, TimeUnit.MILLISECONDS));
      calls.ended();
      Await.value(ended);
      assertFalse(heard.all().contains("methods still run"), heard::all);
    }
  }
}
