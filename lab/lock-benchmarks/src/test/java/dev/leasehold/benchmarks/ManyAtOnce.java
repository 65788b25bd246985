package dev.leasehold.benchmarks;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Many free locks asked for at the same moment, without a thread for each. */
final class ManyAtOnce {
  private static final Duration TTL = Duration.ofSeconds(30);

  private ManyAtOnce() {}

  static void run(String uri, Effort effort, Figures figures) throws Exception {
    int count = effort.pairs() * 5;
    Config config = new Config();
    config.useSingleServer().setAddress(uri);
    RedissonClient redisson = Redisson.create(config);
    RedisClient client = RedisClient.create(uri);
    Map<String, String> settings = Map.of("lock.backend", "redis-set", "lock.redis.uri", uri);
    try (LockManager locks = LockManager.open(LockSettings.of(settings));
        StatefulRedisConnection<byte[], byte[]> raw = client.connect(ByteArrayCodec.INSTANCE)) {
      List<Callable<Double>> turns =
          List.of(
              () -> raw(raw.async(), count),
              () -> ours(locks, count),
              () -> theirs(redisson, count));
      List<Double> ms = new Alternation(effort).medians(effort.rounds() / 2, turns);
      String condition = count + " acquisitions of free locks at once";
      figures.note(
          "%s: raw %.1f ms, redis-set %.1f ms, RLock %.1f ms",
          condition, ms.get(0), ms.get(1), ms.get(2));
      figures.ratio("async redis-set:raw", ms.get(0) / ms.get(1), ">=0.70", condition);
      figures.ratio("async redis-set:RLock", ms.get(2) / ms.get(1), ">=1.0", condition);
    } finally {
      client.shutdown();
      redisson.shutdown();
    }
  }

  /** The shipped script, pipelined over one connection; the locks are deleted afterwards. */
  private static double raw(RedisAsyncCommands<byte[], byte[]> redis, int count) {
    FencedScripts scripts = new FencedScripts(Script.ACQUIRE, "raw");
    byte[] body = Script.ACQUIRE.body();
    String sha = redis.scriptLoad(body).toCompletableFuture().join();
    List<ScriptRequest> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      LeaseKey key = new LeaseKey("async-raw-" + i, "raw:" + i);
      requests.add(scripts.acquire(new AcquireRequest(key, TTL, IfHeld.REFUSE)));
    }
    double ms =
        timed(
            count,
            i ->
                redis.evalsha(
                    sha,
                    ScriptOutputType.INTEGER,
                    requests.get(i).keys(),
                    requests.get(i).arguments()));
    timed(count, i -> redis.del(("lh:{async-raw-" + i + "}").getBytes(StandardCharsets.UTF_8)));
    return ms;
  }

  private static double ours(LockManager locks, int count) {
    List<Lease> held = new ArrayList<>();
    long begun = System.nanoTime();
    HeldLeases.all(count, i -> locks.lock("async-" + i).acquireAsync(), held);
    double ms = (System.nanoTime() - begun) / 1e6;
    HeldLeases.all(count, i -> held.get(i).releaseAsync(), new ArrayList<>());
    return ms;
  }

  private static double theirs(RedissonClient client, int count) {
    List<RLock> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(client.getLock("rlock-async-" + i));
    }
    double ms = timed(count, i -> all.get(i).lockAsync(1));
    timed(count, i -> all.get(i).unlockAsync(1));
    return ms;
  }

  private static double timed(int count, java.util.function.IntFunction<CompletionStage<?>> start) {
    long begun = System.nanoTime();
    HeldLeases.all(count, i -> start.apply(i).thenApply(done -> i), new ArrayList<>());
    return (System.nanoTime() - begun) / 1e6;
  }
}
