package dev.leasehold.redis.set;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.SeveralStore;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** A store's operations, each waited for, so that tests read as sentences. */
final class StoreOps implements AutoCloseable {
  static final Duration TTL = Duration.ofSeconds(10);
  private final LeaseStore store;

  StoreOps(LeaseStore store) {
    this.store = store;
    try {
      store.start(new Context());
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /**
   * Opens by settings, as an application does. On one server it has more time to connect than an
   * application's 2 s, unless the settings tell: the first client of a JVM takes longer where
   * others want the processor.
   */
  static StoreOps open(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    if (settings.getOrDefault("lock.redis.uri", "").startsWith("redis://")
        && !settings.containsKey("lock.redis.cluster")) {
      all.putIfAbsent("lock.redis.connect-timeout", "30s");
    }
    LockSettings given = LockSettings.of(all);
    RedisSetBackend backend = new RedisSetBackend();
    given.check(backend.settings());
    return new StoreOps(backend.open(given));
  }

  LeaseStore store() {
    return store;
  }

  AcquireResult acquire(LeaseKey key) {
    return acquire(key, TTL, IfHeld.REFUSE);
  }

  AcquireResult acquire(LeaseKey key, Duration ttl, IfHeld ifHeld) {
    return Await.value(store.acquire(new AcquireRequest(key, ttl, ifHeld)));
  }

  /** The fence of a grant that must be. */
  long fence(LeaseKey key) {
    return ((AcquireResult.Granted) acquire(key)).fence().orElseThrow();
  }

  /** Takes several in one step, beside what is held. */
  SeveralStore.Answer acquireAll(Duration ttl, List<LeaseKey> keys, LeaseKey... beside) {
    List<AcquireRequest> requests =
        keys.stream().map(key -> new AcquireRequest(key, ttl, IfHeld.REFUSE)).toList();
    return Await.value(((SeveralStore) store).acquireAll(requests, List.of(beside)));
  }

  RenewResult renew(LeaseKey key, Duration ttl) {
    return Await.value(store.renew(List.of(new RenewRequest(key, ttl))).get(0));
  }

  ReleaseResult release(LeaseKey key) {
    return Await.value(store.release(key));
  }

  void leave(LeaseKey key) {
    Await.value(store.leave(key));
  }

  Watch watch(LeaseKey key, Runnable wakeUp) {
    return Await.value(store.watch(key, wakeUp));
  }

  Optional<StoredLease> inspect(String name) {
    return Await.value(store.inspect(name));
  }

  @Override
  public void close() {
    store.close();
  }

  static final class Context implements StoreContext {
    @Override
    public Ticker ticker() {
      return Ticker.system();
    }

    @Override
    public Scheduler scheduler() {
      throw new UnsupportedOperationException("no store of ours asks for it");
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
