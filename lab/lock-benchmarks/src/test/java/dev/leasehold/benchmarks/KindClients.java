package dev.leasehold.benchmarks;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.Map;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The clients used to measure the kinds: ours on {@code redis-set} with defaults, and others. */
record KindClients(
    LockManager locks,
    RedissonClient redisson,
    RedisClient lettuce,
    StatefulRedisConnection<byte[], byte[]> raw)
    implements AutoCloseable {

  static KindClients open(String uri) {
    LockManager locks =
        LockManager.open(
            LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", uri)));
    Config config = new Config();
    config.useSingleServer().setAddress(uri);
    RedisClient lettuce = RedisClient.create(uri);
    return new KindClients(
        locks, Redisson.create(config), lettuce, lettuce.connect(ByteArrayCodec.INSTANCE));
  }

  @Override
  public void close() {
    locks.close();
    redisson.shutdown();
    raw.close();
    lettuce.shutdown();
  }
}
