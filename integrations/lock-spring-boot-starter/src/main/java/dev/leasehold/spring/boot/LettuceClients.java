package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.redis.set.RedisSetBackend;
import dev.leasehold.redis.set.RedisSetLocks;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.lang.reflect.Field;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Locks on the Lettuce client of a connection factory. */
final class LettuceClients {
  private LettuceClients() {}

  static ClientBackend on(LettuceConnectionFactory factory) {
    return new ClientBackend(
        new RedisSetBackend(),
        settings -> store(factory.getRequiredNativeClient(), settings),
        ClientBackend.Renewing.BY_THE_ENGINE,
        life(factory),
        place(factory));
  }

  private static String place(LettuceConnectionFactory factory) {
    return "the application's LettuceConnectionFactory, "
        + FactoryAddresses.of(
            factory.getClusterConfiguration(),
            factory.getSentinelConfiguration(),
            factory.getHostName(),
            factory.getPort());
  }

  /**
   * Locks use their own connections, on the threads of the factory's client. Threads created by the
   * client end with it; threads provided by the application do not.
   */
  private static ClientBackend.Life life(LettuceConnectionFactory factory) {
    return factory.getClientConfiguration().getClientResources().isPresent()
        ? ClientBackend.Life.THE_CONTEXTS
        : ClientBackend.Life.UNTIL_STOPPED;
  }

  private static LeaseStore store(AbstractRedisClient client, LockSettings settings) {
    RedisSetLocks locks =
        client instanceof RedisClusterClient cluster
            ? RedisSetLocks.over(cluster)
            : RedisSetLocks.over((RedisClient) client, uri((RedisClient) client));
    return locks.settings(settings).open();
  }

  /**
   * The client's address, credentials and TLS settings, as set by the factory. The client does not
   * expose them; the field has the same name in all Lettuce versions from 6.6 on.
   */
  private static RedisURI uri(RedisClient client) {
    RedisURI uri;
    try {
      Field field = RedisClient.class.getDeclaredField("redisURI");
      field.setAccessible(true);
      uri = (RedisURI) field.get(client);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new LockConfigurationException(
          "this Lettuce does not say where its client connects to: set leasehold.redis.uri", e);
    }
    if (uri.getHost() == null && uri.getSocket() == null && uri.getSentinels().isEmpty()) {
      throw new LockConfigurationException(
          "the application's LettuceConnectionFactory is on several servers without Sentinels or"
              + " a cluster, and locks need to know the primary: set leasehold.redis.uri");
    }
    return uri;
  }
}
