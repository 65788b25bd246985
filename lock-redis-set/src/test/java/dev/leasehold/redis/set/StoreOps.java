package dev.leasehold.redis.set;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.testkit.BlockingStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** A store's operations, and a context whose executors it must not need. */
final class StoreOps extends BlockingStore {
  StoreOps(LeaseStore store) {
    super(store, new Context());
  }

  /**
   * Opens by settings, as an application does. On one server it has more time to connect than an
   * application's 2 s, unless the settings set it: the first client of a JVM takes longer where
   * others want the processor.
   */
  static StoreOps open(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    String uri = settings.getOrDefault("lock.redis.uri", "");
    if ((uri.startsWith("redis://") || uri.startsWith("rediss://"))
        && !settings.containsKey("lock.redis.cluster")) {
      all.putIfAbsent("lock.redis.connect-timeout", "30s");
    }
    LockSettings given = LockSettings.of(all);
    RedisSetBackend backend = new RedisSetBackend();
    given.check(backend.settings());
    return new StoreOps(backend.open(given));
  }

  static final class Context implements StoreContext {
    @Override
    public Ticker ticker() {
      return Ticker.system();
    }

    @Override
    public Scheduler scheduler() {
      return (delay, task) -> {
        Executor later = CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS);
        CompletableFuture<Void> timer = CompletableFuture.runAsync(task, later);
        return () -> timer.cancel(false);
      };
    }

    @Override
    public Executor blockingExecutor() {
      throw new UnsupportedOperationException("no store of ours asks for it");
    }

    @Override
    public Executor executor() {
      throw new UnsupportedOperationException("no store of ours asks for it");
    }

    @Override
    public RandomGenerator random() {
      return ThreadLocalRandom.current();
    }

    @Override
    public String label() {
      return "test";
    }

    @Override
    public Duration commandTimeout() {
      return Duration.ofSeconds(2);
    }
  }
}
