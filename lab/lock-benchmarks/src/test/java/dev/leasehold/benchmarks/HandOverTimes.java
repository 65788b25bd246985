package dev.leasehold.benchmarks;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * From a release in one process to the acquisition of a waiter in another: two clients of one JVM,
 * which share nothing.
 */
final class HandOverTimes {
  private static final long TTL = 30_000;

  /** Within this time a waiter is in the server's queue, and listens. */
  private static final Duration SETTLED = Duration.ofMillis(4);

  private static final Duration LINGER = Duration.ofSeconds(10);

  private HandOverTimes() {}

  /** One hand-over, which returns its length in nanoseconds. */
  private interface Change extends Callable<Long> {}

  static void run(String uri, Effort effort, Figures figures) throws Exception {
    try (Pair set = Pair.of("redis-set", uri, Map.of());
        Pair setnx = Pair.of("redis-setnx", uri, Map.of());
        Pair lingering =
            Pair.of("redis-set", uri, Map.of("lock.linger", LINGER.toMillis() + "ms"))) {
      measured(uri, effort, figures, set, setnx, lingering);
    }
  }

  private static void measured(
      String uri, Effort effort, Figures figures, Pair set, Pair setnx, Pair lingering)
      throws Exception {
    RedisClient client = RedisClient.create(uri);
    RedissonClient one = redisson(uri);
    RedissonClient two = redisson(uri);
    try (StatefulRedisConnection<String, String> first = client.connect();
        StatefulRedisConnection<String, String> second = client.connect();
        StatefulRedisPubSubConnection<String, String> ear = client.connectPubSub()) {
      List<Change> all =
          List.of(
              raw(first, second, ear),
              set::wakes,
              setnx::wakes,
              redisson(one.getLock("rlock-wake"), two.getLock("rlock-wake")),
              lingering::recalls);
      List<Callable<Double>> turns = new ArrayList<>();
      int times = Math.max(5, effort.pairs() / 40);
      all.forEach(change -> turns.add(() -> median(change, times)));
      List<Double> ns = new Alternation(effort).medians(2, turns);
      String condition = "from a release to the acquisition of a waiter elsewhere, median";
      List<String> names = List.of("raw", "redis-set", "redis-setnx", "RLock", "recalled");
      for (int i = 0; i < names.size(); i++) {
        figures.note("%s: %.1f us", names.get(i), ns.get(i) / 1e3);
      }
      figures.ratio("wake redis-set:raw", ns.get(1) / ns.get(0), "<=1.10", condition);
      figures.ratio("wake redis-setnx:raw", ns.get(2) / ns.get(0), "<=1.10", condition);
      figures.ratio("wake redis-set:RLock", ns.get(1) / ns.get(3), "<=1.0", condition);
      figures.ratio(
          "wake recalled:redis-set",
          ns.get(4) / ns.get(1),
          "<=1.5",
          "from asking for a lock whose lease lingers elsewhere to its acquisition, compared with"
              + " the wake-up");
    } finally {
      client.shutdown();
      one.shutdown();
      two.shutdown();
    }
  }

  private static double median(Change change, int times) throws Exception {
    List<Long> took = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      took.add(change.call());
    }
    Collections.sort(took);
    return took.get(took.size() / 2);
  }

  /** Two managers that contend for a lock. */
  private record Pair(LockManager one, LockManager two) implements AutoCloseable {
    static Pair of(String backend, String uri, Map<String, String> more) {
      Map<String, String> settings = new HashMap<>(more);
      settings.put("lock.backend", backend);
      settings.put("lock.redis.uri", uri);
      LockSettings all = LockSettings.of(settings);
      return new Pair(LockManager.open(all), LockManager.open(all));
    }

    long wakes() throws Exception {
      Lease held = one.lock("wake").acquire();
      CompletableFuture<Lease> waiting = two.lock("wake").acquireAsync().toCompletableFuture();
      CompletableFuture<Long> got = waiting.thenApply(lease -> System.nanoTime());
      Thread.sleep(SETTLED.toMillis());
      long begun = System.nanoTime();
      held.release();
      long took = got.get() - begun;
      waiting.get().release();
      return took;
    }

    long recalls() throws Exception {
      one.lock("recall").acquire().release(); // kept, unless it is the first
      Thread.sleep(SETTLED.toMillis());
      long begun = System.nanoTime();
      Lease lease = two.lock("recall").acquire();
      long took = System.nanoTime() - begun;
      lease.release();
      return took;
    }

    @Override
    public void close() {
      one.close();
      two.close();
    }
  }

  /** {@code DEL} and {@code PUBLISH} in one round trip, and {@code SET} by the one that listens. */
  private static Change raw(
      StatefulRedisConnection<String, String> one,
      StatefulRedisConnection<String, String> two,
      StatefulRedisPubSubConnection<String, String> ear) {
    List<CompletableFuture<Long>> next = Collections.synchronizedList(new ArrayList<>());
    SetArgs free = SetArgs.Builder.nx().px(TTL);
    ear.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String message) {
            two.async()
                .set("raw-wake", "two", free)
                .thenAccept(done -> next.remove(0).complete(System.nanoTime()));
          }
        });
    ear.sync().subscribe("raw-wake");
    return () -> {
      one.sync().set("raw-wake", "one", free);
      CompletableFuture<Long> got = new CompletableFuture<>();
      next.add(got);
      Thread.sleep(SETTLED.toMillis());
      long begun = System.nanoTime();
      one.async().del("raw-wake");
      one.async().publish("raw-wake", "");
      long took = got.get() - begun;
      one.sync().del("raw-wake");
      return took;
    };
  }

  private static RedissonClient redisson(String uri) {
    Config config = new Config();
    config.useSingleServer().setAddress(uri);
    return Redisson.create(config);
  }

  private static Change redisson(RLock one, RLock two) {
    return () -> {
      one.lockAsync(1).get();
      CompletableFuture<Void> waiting = two.lockAsync(2).toCompletableFuture();
      CompletableFuture<Long> got = waiting.thenApply(done -> System.nanoTime());
      Thread.sleep(SETTLED.toMillis());
      long begun = System.nanoTime();
      one.unlockAsync(1).get();
      long took = got.get() - begun;
      two.unlockAsync(2).get();
      return took;
    };
  }
}
