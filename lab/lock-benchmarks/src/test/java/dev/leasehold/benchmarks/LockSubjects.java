package dev.leasehold.benchmarks;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Locks as applications use them: Leasehold's backends and Redisson's {@code RLock}. */
final class LockSubjects {
  private LockSubjects() {}

  /**
   * A backend with its defaults: fencing, renewal and loss signals are on.
   *
   * @param backend its id, as {@code lock.backend}
   */
  static Subject leasehold(String backend, String uri, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("lock.backend", backend);
    settings.put("lock.redis.uri", uri);
    LockManager locks = LockManager.open(LockSettings.of(settings));
    return new Subject() {
      @Override
      public String name() {
        return backend;
      }

      @Override
      public Pair on(String key) {
        DistributedLock lock = locks.lock(key);
        return () -> lock.acquire().release();
      }

      @Override
      public void close() {
        locks.close();
      }
    };
  }

  static Subject redisson(String uri) {
    Config config = new Config();
    config.useSingleServer().setAddress(uri);
    return redisson(config);
  }

  /** With a client that knows the replicas: only then do its locks wait for them. */
  static Subject redissonWaiting(String primary, List<String> replicas) {
    Config config = new Config();
    config
        .useMasterSlaveServers()
        .setMasterAddress(primary)
        .addSlaveAddress(replicas.toArray(String[]::new));
    return redisson(config);
  }

  static Subject redissonCluster(List<String> nodes) {
    Config config = new Config();
    config.useClusterServers().addNodeAddress(nodes.toArray(String[]::new));
    return redisson(config);
  }

  private static Subject redisson(Config config) {
    RedissonClient client = Redisson.create(config);
    return new Subject() {
      @Override
      public String name() {
        return "RLock";
      }

      @Override
      public Pair on(String key) {
        RLock lock = client.getLock("rlock-" + key);
        return () -> {
          lock.lock();
          lock.unlock();
        };
      }

      @Override
      public void close() {
        client.shutdown();
      }
    };
  }

  /** Looks up a subject by its {@link Subject#name()}. */
  static Subject of(String name, String uri) {
    return name.equals("RLock") ? redisson(uri) : leasehold(name, uri, Map.of());
  }
}
