package dev.leasehold.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.AcquisitionListener;
import dev.leasehold.lock.AcquisitionResult;
import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.NodeEvent;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Meters of locks on a real Redis")
class LockMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private static final LockOwner OTHER = LockOwner.unique("other");

  private RedisServer server;
  private LockSettings settings;
  private LockManager locks;
  private LockManager others;

  @BeforeEach
  void start() {
    server = RedisServers.start();
    settings = settings("20s");
    LockMetrics metrics = LockMetrics.on(registry);
    locks = LockManager.opener(settings).engine(builder -> builder.listener(metrics)).open();
    others = LockManager.open(settings);
  }

  private LockSettings settings(String commandTimeout) {
    return LockSettings.of(
        Map.of(
            "lock.redis.uri",
            server.uri(),
            "lock.command-timeout",
            commandTimeout,
            "lock.hand-over.within",
            "1m"));
  }

  @AfterEach
  void stop() {
    others.close();
    locks.close();
    server.close();
  }

  private void awaitCount(String name, double expected, String... tags) {
    await(() -> count(name, tags) == expected, () -> name + " is " + count(name, tags));
  }

  /** Listeners are notified on another thread. */
  private static void await(BooleanSupplier condition, Supplier<String> what) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, what);
      Thread.onSpinWait();
    }
  }

  private double count(String name, String... tags) {
    Meter meter = registry.find(name).tags(tags).meter();
    return meter == null ? 0 : meter.measure().iterator().next().getValue();
  }

  @Test
  @DisplayName("Acquired, held, contended, handed over and released, with their times")
  void plain() throws Exception {
    Lease lease = locks.lock("a").acquire();
    awaitCount("leasehold.acquired", 1);
    awaitCount("leasehold.held", 1);
    assertTrue(others.lock("a").tryAcquire().isEmpty());
    // A grant with others waiting has the numbers for hand-overs.
    CompletableFuture<Lease> second = locks.lock("a").acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> third = locks.lock("a").acquireAsync().toCompletableFuture();
    lease.release();
    second.get(20, TimeUnit.SECONDS).release();
    try (Lease handedOver = third.get(20, TimeUnit.SECONDS)) {
      assertTrue(handedOver.isValid());
      awaitCount("leasehold.handed.over", 1);
      awaitCount("leasehold.held", 1);
    }
    awaitCount("leasehold.held", 0);
    awaitCount("leasehold.hold", 3);
    awaitCount("leasehold.wait", 3);
    double contended = count("leasehold.contended");
    try (Lease elsewhere = others.lock("a").acquire()) {
      assertTrue(elsewhere.isValid());
      assertTrue(locks.lock("a").tryAcquire().isEmpty());
      awaitCount("leasehold.contended", contended + 1);
    }
    assertEquals(7, registry.get("leasehold.wait").timer().takeSnapshot().histogramCounts().length);
  }

  @Test
  @DisplayName("Waiters, and callers that went without the lock")
  void waiting() throws Exception {
    try (Lease elsewhere = others.lock("a").acquire()) {
      assertTrue(elsewhere.isValid());
      CompletableFuture<Lease> waits = locks.lock("a").acquireAsync().toCompletableFuture();
      awaitCount("leasehold.waiting", 1);
      assertTrue(locks.lock("a").tryAcquire().isEmpty());
      awaitCount("leasehold.not.acquired", 1, "outcome", "refused");
      awaitCount("leasehold.waiting", 1);
      waits.cancel(true);
      awaitCount("leasehold.not.acquired", 1, "outcome", "cancelled");
    }
    awaitCount("leasehold.waiting", 0);
    assertEquals(0, count("leasehold.held"));
  }

  @Test
  @DisplayName("The gauges don't drift where an executor runs the latest callback first")
  void order() throws Exception {
    ConcurrentLinkedDeque<Runnable> kept = new ConcurrentLinkedDeque<>();
    SimpleMeterRegistry own = new SimpleMeterRegistry();
    LockMetrics metrics = LockMetrics.on(own);
    try (LockManager manager =
        LockManager.opener(settings)
            .engine(builder -> builder.listener(metrics).executor(kept::push))
            .open()) {
      for (int i = 0; i < 3; i++) {
        manager.lock("a").acquire().release();
      }
      await(() -> kept.size() >= 6, () -> kept.size() + " callbacks");
      Gauge held = own.get("leasehold.held").gauge();
      await(
          () -> {
            Runnable latest = kept.poll();
            if (latest != null) {
              latest.run();
            }
            return own.timer("leasehold.hold", "kind", "lock").count() == 3
                && own.timer("leasehold.wait", "kind", "lock").count() == 3
                && held.value() == 0;
          },
          () -> held.value() + " held");
    }
  }

  @Test
  @DisplayName("Those on one registry add up")
  void shared() {
    AcquisitionResult granted =
        new AcquisitionResult(Outcome.GRANTED, false, Duration.ZERO, Optional.empty());
    for (int i = 0; i < 2; i++) {
      AcquisitionListener one = LockMetrics.on(registry).asked(LockKind.LOCK, "a").orElseThrow();
      assertEquals(1, count("leasehold.waiting"));
      one.decided(granted);
    }
    assertEquals(0, count("leasehold.waiting"));
    assertEquals(2, count("leasehold.held"));
  }

  @Test
  @DisplayName("A lock, a reader, a writer and permits of one name are distinguished")
  void kinds() throws Exception {
    try (Lease lock = locks.lock("a").acquire();
        Lease permits = locks.semaphore("a", 3).acquire(2);
        Lease read = locks.readWriteLock("a").read().acquire()) {
      assertTrue(lock.isValid() && permits.isValid() && read.isValid());
      assertTrue(others.readWriteLock("a").write().tryAcquire().isEmpty());
      assertTrue(locks.readWriteLock("a").write().as(OTHER).tryAcquire().isEmpty());
      for (String kind : new String[] {"lock", "semaphore", "read_lock"}) {
        awaitCount("leasehold.held", 1, "kind", kind);
        awaitCount("leasehold.acquired", 1, "kind", kind);
      }
      awaitCount("leasehold.not.acquired", 1, "kind", "write_lock", "outcome", "refused");
      server.call("FLUSHALL");
      assertThrows(LeaseLostException.class, permits::release);
      awaitCount("leasehold.lost", 1, "kind", "semaphore", "reason", "not_owner");
      assertThrows(LeaseLostException.class, read::release);
      assertThrows(LeaseLostException.class, lock::release);
    }
    assertEquals(0, count("leasehold.acquired", "kind", "write_lock"));
    assertTrue(registry.find("leasehold.acquired").tags("kind", "latch").meters().isEmpty());
    for (Meter meter : registry.getMeters()) {
      assertTrue(meter.getId().getTag("kind") != null, () -> "without a kind: " + meter.getId());
    }
  }

  @Test
  @DisplayName("A loss that the release finds counts once, and nothing stays held")
  void lost() throws Exception {
    Lease lease = locks.lock("b").acquire();
    server.call("FLUSHALL");
    assertThrows(LeaseLostException.class, lease::release);
    awaitCount("leasehold.lost", 1, "reason", "not_owner");
    awaitCount("leasehold.held", 0);
    locks.lock("b").acquire().release();
    awaitCount("leasehold.hold", count("leasehold.hold"));
    awaitCount("leasehold.acquired", 2);
    awaitCount("leasehold.held", 0);
  }

  @Test
  @DisplayName("A store out of reach")
  void failed() {
    LockMetrics metrics = LockMetrics.on(registry);
    try (LockManager brief =
        LockManager.opener(settings("500ms")).engine(engine -> engine.listener(metrics)).open()) {
      server.close();
      assertThrows(LockStoreException.class, () -> brief.lock("c").tryAcquire());
      await(
          () -> count("leasehold.failed", "operation", "acquire") >= 1, () -> "no failure counted");
    }
  }

  @Test
  @DisplayName("The number of meters does not grow with the number of locks")
  void cardinality() {
    LockMetrics untagged = LockMetrics.on(registry);
    LockMetrics tagged = LockMetrics.namesAsTags(registry, name -> name.replaceAll(":.*", ""), 2);
    int meters = 0;
    for (int i = 0; i < 1000; i++) {
      untagged.on(new LockEvent.Acquired(LockKind.LOCK, "name-" + i, Duration.ZERO));
      untagged.on(new LockEvent.Released(LockKind.LOCK, "name-" + i, Duration.ZERO));
      meters = i == 0 ? registry.getMeters().size() : meters;
    }
    assertEquals(meters, registry.getMeters().size());
    assertEquals(1000, count("leasehold.acquired"));
    for (String name : new String[] {"orders:1", "orders:2", "stock:1", "users:1", "carts:1"}) {
      tagged.on(new LockEvent.Contended(LockKind.LOCK, name, Duration.ZERO));
    }
    assertEquals(2, count("leasehold.contended", "lock", "orders"));
    assertEquals(1, count("leasehold.contended", "lock", "stock"));
    assertEquals(2, count("leasehold.contended", "lock", LockMetrics.OTHERS));
    assertThrows(
        IllegalArgumentException.class, () -> LockMetrics.namesAsTags(registry, n -> n, 0));
  }

  @Test
  @DisplayName("By patterns: the number of waiters, time waited, and time held, starting at 0")
  void patterns() throws Exception {
    SimpleMeterRegistry own = new SimpleMeterRegistry();
    LockMetrics metrics = LockMetrics.patternsAsTags(own, List.of("orders:*", "*:eu", "night.y"));
    int meters = own.getMeters().size();
    assertEquals(0, own.get("leasehold.waiting").tags("lock", "*:eu").gauge().value());
    assertEquals(0, own.get("leasehold.wait").tags("lock", "orders:*").timer().count());
    try (LockManager metered =
        LockManager.opener(settings).engine(builder -> builder.listener(metrics)).open()) {
      Lease elsewhere = others.lock("orders:eu").acquire();
      CompletableFuture<Lease> waits =
          metered.lock("orders:eu").acquireAsync().toCompletableFuture();
      await(
          () -> own.get("leasehold.waiting").tags("lock", "orders:*").gauge().value() == 1,
          () -> "no waiters are left");
      for (String other : new String[] {"*:eu", "night.y", LockMetrics.OTHERS}) {
        assertEquals(0, own.get("leasehold.waiting").tags("lock", other).gauge().value());
      }
      elsewhere.release();
      waits.get(20, TimeUnit.SECONDS).release();
      metered.lock("stock\n:eu").acquire().release();
      metered.lock("nightly").acquire().release();
      for (String tag : new String[] {"orders:*", "*:eu", LockMetrics.OTHERS}) {
        await(
            () -> own.get("leasehold.hold").tags("lock", tag).timer().count() == 1,
            () -> "no hold of " + tag);
        assertEquals(1, own.get("leasehold.wait").tags("lock", tag).timer().count());
      }
    }
    assertEquals(meters, own.getMeters().size());
    for (List<String> wrong :
        List.of(List.<String>of(), List.of(""), Collections.nCopies(101, "x"))) {
      assertThrows(
          IllegalArgumentException.class, () -> LockMetrics.patternsAsTags(registry, wrong));
    }
  }

  @Test
  @DisplayName("Nodes of a quorum: down, up again, slow")
  void nodes() {
    LockMetrics metrics = LockMetrics.on(registry);
    metrics.onNode(new NodeEvent.Down("redis-1:6379", new LockConfigurationException("refused")));
    assertEquals(0, count("leasehold.node.up", "node", "redis-1:6379"));
    metrics.onNode(new NodeEvent.Up("redis-1:6379"));
    assertEquals(1, count("leasehold.node.up", "node", "redis-1:6379"));
    metrics.onNode(new NodeEvent.Slow("redis-2:6379"));
    assertEquals(1, count("leasehold.node.slow", "node", "redis-2:6379"));
  }
}
