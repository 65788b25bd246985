package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.RedisEndpoint;
import dev.leasehold.testkit.BlockingStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** A store's operations on the caller's thread. */
final class Ops extends BlockingStore {
  private static final AtomicLong COUNT = new AtomicLong();
  private static final ScheduledExecutorService TIMERS =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "ops-timers");
            thread.setDaemon(true);
            return thread;
          });

  Ops(LeaseStore store) {
    super(store, new Context());
  }

  /**
   * Opens by settings, as an application does. It has more time to connect than an application's 2
   * s, unless the settings set it: the first client of a JVM takes longer where others want the
   * processor, and with TLS most of all.
   */
  static Ops open(String uri, String... settings) {
    Map<String, String> all =
        new HashMap<>(Map.of("lock.redis.uri", uri, "lock.redis.connect-timeout", "20s"));
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    LockSettings given = LockSettings.of(all);
    RedisSetnxBackend backend = new RedisSetnxBackend();
    given.check(backend.settings());
    return new Ops(backend.open(given));
  }

  /** The timestamp scheme by a clock of the test's. */
  static Ops timestamp(String uri, TurnedClock clock) {
    return new Ops(
        new TimestampStore(redis(uri), clock.wallClock(), Eviction.REFUSED, KeySpace.WHOLE));
  }

  /** A format by a clock of the test's. */
  static Ops format(String uri, TurnedClock clock, TimestampFormat format) {
    return new Ops(
        new ForeignFormatStore(
            redis(uri), clock.wallClock(), Eviction.REFUSED, KeySpace.WHOLE, format));
  }

  private static JedisRedis redis(String uri) {
    LockSettings settings = LockSettings.of(Map.of("lock.redis.uri", uri));
    return JedisClients.connector(RedisEndpoint.of(settings, "no sockets"), settings)
        .apply(
            new JedisConnections.Limits(SetnxSettings.DEFAULT_CONNECTIONS, Duration.ofSeconds(2)));
  }

  /** A fresh token. */
  static LeaseKey key(String name) {
    return new LeaseKey(name, "test:%022d".formatted(COUNT.incrementAndGet()));
  }

  /** Of a manager that there is not. */
  static final class Context implements StoreContext {
    @Override
    public Ticker ticker() {
      return Ticker.system();
    }

    @Override
    public Scheduler scheduler() {
      return (delay, task) -> {
        var timer = TIMERS.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
      };
    }

    @Override
    public Executor blockingExecutor() {
      return Runnable::run;
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
