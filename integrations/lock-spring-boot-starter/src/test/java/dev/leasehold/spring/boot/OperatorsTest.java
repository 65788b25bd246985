package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.methods.Locked;
import dev.leasehold.methods.OnTimeout;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Heard;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

@DisplayName("An operator is notified")
class OperatorsTest {
  private static final String LOGGING = "org.springframework.boot.logging.LoggingSystem";
  private static final List<String> EXPOSED =
      List.of("management.endpoints.web.exposure.include=leasehold");

  @AutoClose private static final RedisServer server = RedisServers.start();

  private Heard heard;

  @BeforeAll
  static void start() {
    System.setProperty(LOGGING, "none"); // Boot's start would take the handler away
    server.call("ACL", "SETUSER", "app", "on", ">pa,ss@word", "~*", "&*", "+@all");
  }

  @AfterAll
  static void stop() {
    System.clearProperty(LOGGING);
  }

  @BeforeEach
  void listen() {
    heard = new Heard();
  }

  @AfterEach
  void stopListening() {
    heard.close();
  }

  private static List<String> told(ConfigurableApplicationContext context, String what) {
    return context.getBean(LocksEndpoint.class).locks().get(what).stream()
        .map(one -> one.get("kind") + " " + one.get("name") + " by " + one.get("thread"))
        .toList();
  }

  @Test
  @DisplayName("which locks are held and waited for here, by an endpoint")
  void endpoint() throws Exception {
    try (ConfigurableApplicationContext context = Apps.start(server, EXPOSED)) {
      LockManager locks = context.getBean(LockManager.class);
      String here = " by " + Thread.currentThread().getName();
      CompletableFuture<Lease> next;
      Lease read = locks.readWriteLock("page").read().acquire();
      try (Lease lease = locks.lock("orders").acquire()) {
        next = locks.lock("orders").as(LockOwner.unique("b")).acquireAsync().toCompletableFuture();
        Await.until(
            "both are held",
            () ->
                told(context, "held")
                    .equals(List.of("read_lock page" + here, "lock orders" + here)));
        assertEquals(List.of("lock orders" + here), told(context, "waiting"));
        Map<String, String> one = context.getBean(LocksEndpoint.class).locks().get("held").get(0);
        assertTrue(one.get("since").endsWith("Z"), one::toString);
        read.release();
        Await.until(
            "the reader is gone",
            () -> told(context, "held").equals(List.of("lock orders" + here)));
        assertTrue(lease.isValid());
      }
      Await.value(next).release();
      Await.until("nothing is held", () -> told(context, "held").isEmpty());
      assertEquals(List.of(), told(context, "waiting"));
    }
  }

  @Test
  @DisplayName("not by an endpoint that is not exposed")
  void unexposed() {
    try (ConfigurableApplicationContext context = Apps.start(server, List.of())) {
      assertTrue(context.getBeansOfType(LocksEndpoint.class).isEmpty());
      assertTrue(context.getBeansOfType(LocksNow.class).isEmpty());
    }
  }

  private void isTold(List<String> properties, String line, Class<?>... beans) {
    Apps.start(server, properties, beans).close();
    assertTrue(heard.around("INFO: " + line).isPresent(), heard.all());
  }

  @Test
  @DisplayName("on which backend and server locks are, without a login, and how long leases last")
  void line() {
    String there = "127.0.0.1:" + server.port() + "), with a lease of ";
    isTold(
        List.of("leasehold.lease=20s"),
        "locks are on redis-set (the application's LettuceConnectionFactory, " + there + "20s");
    isTold(
        List.of("spring.data.redis.client-type=jedis"),
        "locks are on redis-setnx (beside the application's JedisConnectionFactory, "
            + there
            + "30s");
    isTold(
        List.of(),
        "locks are on redisson (the application's RedissonClient), with a lease of 30s",
        ConnectionsTest.WithRedisson.class);
    isTold(
        List.of(
            "leasehold.backend=redis-set",
            "leasehold.redis.uri=redis://app:pa,ss%40word@127.0.0.1:" + server.port()),
        "locks are on redis-set (" + there + "30s");
    assertFalse(heard.all().contains("word@") || heard.all().contains("pa,ss"), heard.all());
  }

  @Test
  @DisplayName("at startup that close-grace leaves nothing of the shutdown phase")
  void noTimeToEnd() {
    Apps.start(server, List.of("leasehold.close-grace=28s")).close();
    assertFalse(heard.all().contains("close-grace"), heard::all);
    Apps.start(server, List.of("leasehold.close-grace=40s")).close();
    String line =
        "WARNING: leasehold.close-grace = 40s leaves nothing of"
            + " spring.lifecycle.timeout-per-shutdown-phase = 30s: at shutdown, ";
    assertTrue(heard.around(line).isPresent(), heard.all());
    assertTrue(heard.all().contains("connection factories stop"), heard::all);
  }

  @Test
  @DisplayName("at startup that close-grace leaves a second of it, in which connections still work")
  void hardlyTimeToEnd() {
    Apps.start(server, List.of("leasehold.close-grace=29s")).close();
    String line =
        "WARNING: leasehold.close-grace = 29s leaves a second or less of"
            + " spring.lifecycle.timeout-per-shutdown-phase = 30s: at shutdown, ";
    assertTrue(heard.around(line).isPresent(), heard.all());
    assertFalse(heard.all().contains("connection factories stop"), heard::all);
  }

  /** An application's own manager, which leasehold.close-grace does not apply to. */
  static class OwnManager {
    @Bean(destroyMethod = "close")
    LockManager own() {
      return LockManager.open(
          LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", server.uri())));
    }
  }

  @Test
  @DisplayName("but not if the grace is for no manager")
  void ownManager() {
    Apps.start(server, List.of("leasehold.close-grace=40s"), OwnManager.class).close();
    assertFalse(heard.all().contains("close-grace"), heard::all);
  }

  /** A job that others may have run. */
  static class Job {
    @Locked(name = "nightly", waitFor = "0s", onTimeout = OnTimeout.SKIP)
    public void nightly() {}

    @Locked(name = "hourly", waitFor = "50ms", onTimeout = OnTimeout.SKIP)
    public void hourly() {}
  }

  @Test
  @DisplayName("a job is not skipped without a word while Redis hangs: each call throws")
  void hangs() throws Exception {
    try (RedisServer own = RedisServers.start();
        ConfigurableApplicationContext context = Apps.start(own, List.of(), Job.class)) {
      Job job = context.getBean(Job.class);
      job.hourly();
      ExecutorService instances = Executors.newFixedThreadPool(8);
      own.pause();
      try {
        List<Future<?>> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
          calls.add(instances.submit(job::hourly));
        }
        for (Future<?> call : calls) {
          ExecutionException failed =
              assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
          assertInstanceOf(LockStoreException.class, failed.getCause());
        }
      } finally {
        own.resume();
        instances.shutdownNow();
      }
    }
  }

  @Test
  @DisplayName("in a line that a job was not called since Redis is away")
  void away() {
    try (RedisServer own = RedisServers.start();
        ConfigurableApplicationContext context = Apps.start(own, List.of(), Job.class)) {
      Job job = context.getBean(Job.class);
      job.nightly();
      own.kill();
      assertThrows(LockStoreException.class, job::nightly);
      String line =
          "Job.nightly() was not called, since it is unknown whether the lock 'nightly' is held";
      assertTrue(heard.around(line).isPresent(), heard.all());
    }
  }
}
