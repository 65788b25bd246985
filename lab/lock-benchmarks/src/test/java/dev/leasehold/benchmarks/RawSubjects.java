package dev.leasehold.benchmarks;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.params.SetParams;

/**
 * The lower bound of a lock's cost: {@code SET key token NX PX ttl} and a compare-and-delete by
 * {@code EVALSHA} over the same client; and the JDK's lock without any server.
 */
final class RawSubjects {
  static final String DELETE =
      "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0";
  private static final long TTL = 30_000;

  private RawSubjects() {}

  static Subject lettuce(String uri) {
    RedisClient client = RedisClient.create(uri);
    StatefulRedisConnection<String, String> connection = client.connect();
    RedisCommands<String, String> redis = connection.sync();
    String sha = redis.scriptLoad(DELETE);
    return new Subject() {
      @Override
      public String name() {
        return "raw-lettuce";
      }

      @Override
      public Pair on(String key) {
        String[] keys = {key};
        return () -> {
          String token = UUID.randomUUID().toString();
          while (redis.set(key, token, SetArgs.Builder.nx().px(TTL)) == null) {
            Thread.onSpinWait();
          }
          redis.evalsha(sha, ScriptOutputType.INTEGER, keys, token);
        };
      }

      @Override
      public void close() {
        connection.close();
        client.shutdown();
      }
    };
  }

  static Subject jedis(String uri) {
    UnifiedJedis jedis = redis.clients.jedis.RedisClient.create(URI.create(uri));
    String sha = jedis.scriptLoad(DELETE);
    return new Subject() {
      @Override
      public String name() {
        return "raw-jedis";
      }

      @Override
      public Pair on(String key) {
        List<String> keys = List.of(key);
        SetParams free = new SetParams().nx().px(TTL);
        return () -> {
          String token = UUID.randomUUID().toString();
          while (jedis.set(key, token, free) == null) {
            Thread.onSpinWait();
          }
          jedis.evalsha(sha, keys, List.of(token));
        };
      }

      @Override
      public void close() {
        jedis.close();
      }
    };
  }

  /** {@link ReentrantLock}, fair as ours is among the threads of a process. */
  static Subject jdk() {
    ConcurrentMap<String, ReentrantLock> locks = new ConcurrentHashMap<>();
    return new Subject() {
      @Override
      public String name() {
        return "jdk";
      }

      @Override
      public Pair on(String key) {
        ReentrantLock lock = locks.computeIfAbsent(key, k -> new ReentrantLock(true));
        return () -> {
          lock.lock();
          lock.unlock();
        };
      }
    };
  }
}
