package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.redis.setnx.RedisSetnxBackend;
import dev.leasehold.redis.setnx.RedisSetnxLocks;
import java.lang.reflect.Field;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Locks next to a Jedis connection factory, on connections created with the same configuration. */
final class JedisClientBeans {
  private JedisClientBeans() {}

  static ClientBackend on(JedisConnectionFactory factory) {
    return new ClientBackend(
        new RedisSetnxBackend(),
        settings -> store(factory, settings),
        ClientBackend.Renewing.BY_THE_ENGINE,
        // For a cluster it is the factory's own client; otherwise a separate one.
        factory.isRedisClusterAware()
            ? ClientBackend.Life.UNTIL_STOPPED
            : ClientBackend.Life.THE_CONTEXTS,
        "beside the application's JedisConnectionFactory, "
            + FactoryAddresses.of(
                factory.getClusterConfiguration(),
                factory.getSentinelConfiguration(),
                factory.getHostName(),
                factory.getPort()));
  }

  private static LeaseStore store(JedisConnectionFactory factory, LockSettings settings) {
    if (factory.isRedisSentinelAware()) {
      throw new LockConfigurationException(
          "the application's JedisConnectionFactory is on Sentinels, which gives no access to its"
              + " client: set leasehold.redis.uri = redis-sentinel://host:port,host:port#primary");
    }
    return RedisSetnxLocks.over(client(factory)).settings(settings).open();
  }

  /**
   * A client that only carries address and credentials. Its pool is never used: the store creates
   * connections from its configuration, so there is nothing to close.
   */
  @SuppressWarnings("resource")
  private static UnifiedJedis client(JedisConnectionFactory factory) {
    if (factory.isRedisClusterAware()) {
      RedisClusterConnection connection = factory.getClusterConnection();
      try {
        return (UnifiedJedis) connection.getNativeConnection();
      } finally {
        connection.close();
      }
    }
    HostAndPort address = new HostAndPort(factory.getHostName(), factory.getPort());
    return new UnifiedJedis(new PooledConnectionProvider(address, login(factory)));
  }

  /**
   * User, password, database, TLS and time-outs; the field has the same name in Spring Data 3.5 to
   * 4.1.
   */
  private static JedisClientConfig login(JedisConnectionFactory factory) {
    try {
      Field field = JedisConnectionFactory.class.getDeclaredField("clientConfig");
      field.setAccessible(true);
      return (JedisClientConfig) field.get(factory);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new LockConfigurationException(
          "this JedisConnectionFactory gives no access to its login: set leasehold.redis.uri", e);
    }
  }
}
