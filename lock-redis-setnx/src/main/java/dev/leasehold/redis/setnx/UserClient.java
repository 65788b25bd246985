package dev.leasehold.redis.setnx;

import dev.leasehold.redis.setnx.JedisConnections.Limits;
import dev.leasehold.redis.setnx.SentinelRedis.Primary;
import java.lang.reflect.Field;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/**
 * Access to an application's client. Its provider has address and credentials, whatever the
 * client's class: {@code JedisPooled} in Jedis 6 and 7, {@code RedisClient} from 7.2 on.
 */
final class UserClient {
  private UserClient() {}

  /**
   * Refuses clients that {@link #redis} does not support.
   *
   * @throws IllegalArgumentException naming the client's class
   */
  static void check(UnifiedJedis client) {
    Object provider = provider(client);
    if (!(provider instanceof PooledConnectionProvider
        || provider instanceof SentineledConnectionProvider
        || provider instanceof ClusterConnectionProvider)) {
      throw new IllegalArgumentException(
          "a client of one server, of Sentinels or of a cluster is needed, and "
              + client.getClass().getName()
              + " is on "
              + (provider == null ? "no provider of connections" : provider.getClass().getName()));
    }
  }

  /** The Redis of a checked client. */
  static JedisRedis redis(UnifiedJedis client, Limits limits) {
    ConnectionProvider provider = Objects.requireNonNull(provider(client));
    if (provider instanceof PooledConnectionProvider one) {
      return new JedisServer(one.getPool().getFactory(), limits);
    }
    if (provider instanceof SentineledConnectionProvider sentinels) {
      return new SentinelRedis(() -> primary(sentinels), limits, () -> {});
    }
    return new JedisShards((ClusterConnectionProvider) provider, limits, () -> {});
  }

  /** Each primary has its own pool; the address may be known a moment before the pool. */
  private static Primary primary(SentineledConnectionProvider sentinels) {
    ConnectionPool pool =
        (ConnectionPool) read(SentineledConnectionProvider.class, "pool", sentinels);
    if (pool == null) {
      throw new IllegalStateException("the Sentinels have named no primary");
    }
    return new Primary(pool, pool.getFactory());
  }

  private static @Nullable ConnectionProvider provider(UnifiedJedis client) {
    return (ConnectionProvider) read(UnifiedJedis.class, "provider", client);
  }

  /**
   * By reflection: accessible to subclasses only, or not at all before Jedis 7.2; the same in all
   * from 6.0 on.
   */
  private static @Nullable Object read(Class<?> type, String name, Object of) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(of);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "this Jedis has no " + type.getSimpleName() + "." + name + " that can be read", e);
    }
  }
}
