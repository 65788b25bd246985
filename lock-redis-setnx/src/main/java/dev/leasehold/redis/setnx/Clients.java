package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.redis.common.Destination;
import dev.leasehold.redis.common.RedisEndpoint;
import dev.leasehold.redis.common.RedisEndpoint.Host;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.common.RedisSettings.Encryption;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.exceptions.JedisException;

/** Clients of our own. */
final class Clients {
  /** A crowd's connections go soon after it. */
  private static final Duration IDLE_AT_MOST = Duration.ofSeconds(5);

  private static final Duration LOOK_FOR_IDLE = Duration.ofSeconds(1);
  private static final int LOOK_AT_ALL = -1;

  private Clients() {}

  /** Reads the settings; what it returns makes the client, which may not have connected yet. */
  static Supplier<Redis> connector(RedisEndpoint endpoint, LockSettings settings) {
    Supplier<Redis> client = client(endpoint, settings);
    Destination destination = endpoint.destination(settings);
    return () -> {
      try {
        return client.get();
      } catch (JedisException e) {
        throw Failures.connecting(e, destination);
      }
    };
  }

  private static Supplier<Redis> client(RedisEndpoint endpoint, LockSettings settings) {
    JedisClientConfig config = config(endpoint, settings);
    ConnectionPoolConfig pool = pool(settings);
    if (settings.get(RedisSettings.CLUSTER)) {
      return () -> {
        RedisClusterClient client =
            RedisClusterClient.builder()
                .nodes(hosts(endpoint))
                .clientConfig(config)
                .poolConfig(pool)
                .build();
        return new ClusterRedis(client, client::close);
      };
    }
    if (endpoint.primary().isPresent()) {
      JedisClientConfig sentinel = sentinel(endpoint, settings);
      return () -> {
        RedisSentinelClient client =
            RedisSentinelClient.builder()
                .masterName(endpoint.primary().get())
                .sentinels(hosts(endpoint))
                .sentinelClientConfig(sentinel)
                .clientConfig(config)
                .poolConfig(pool)
                .build();
        return new SentinelRedis(client, client::close);
      };
    }
    HostAndPort host = jedis(endpoint.hosts().get(0));
    Destination destination = endpoint.destination(settings);
    return () -> {
      RedisClient client =
          RedisClient.builder().hostAndPort(host).clientConfig(config).poolConfig(pool).build();
      return new SingleRedis(client, destination, client::close);
    };
  }

  private static Set<HostAndPort> hosts(RedisEndpoint endpoint) {
    return endpoint.hosts().stream().map(Clients::jedis).collect(Collectors.toSet());
  }

  private static HostAndPort jedis(Host host) {
    return new HostAndPort(host.name(), host.port());
  }

  private static JedisClientConfig config(RedisEndpoint endpoint, LockSettings settings) {
    DefaultJedisClientConfig.Builder config =
        base(endpoint, settings).database(endpoint.database());
    endpoint.login().ifPresent(who -> who.user().ifPresent(config::user));
    endpoint.login().ifPresent(who -> config.password(who.password()));
    settings.find(RedisSettings.CLIENT_NAME).ifPresent(config::clientName);
    return config.build();
  }

  /** Sentinels mostly have no password, or the same. */
  private static JedisClientConfig sentinel(RedisEndpoint endpoint, LockSettings settings) {
    return base(endpoint, settings).build();
  }

  private static DefaultJedisClientConfig.Builder base(
      RedisEndpoint endpoint, LockSettings settings) {
    int millis = (int) settings.get(RedisSettings.CONNECT_TIMEOUT).toMillis();
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis(millis)
            .socketTimeoutMillis(millis); // of logging in; each command has its own
    if (endpoint.encryption() == Encryption.TLS) {
      config.sslOptions(Tls.of(settings));
    }
    return config;
  }

  private static ConnectionPoolConfig pool(LockSettings settings) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    int most = settings.get(SetnxSettings.CONNECTIONS);
    pool.setMaxTotal(most);
    pool.setMaxIdle(most);
    pool.setMinIdle(0);
    pool.setMaxWait(settings.get(RedisSettings.CONNECT_TIMEOUT));
    pool.setNumTestsPerEvictionRun(LOOK_AT_ALL);
    pool.setTimeBetweenEvictionRuns(LOOK_FOR_IDLE);
    pool.setMinEvictableIdleDuration(IDLE_AT_MOST);
    pool.setTestWhileIdle(false);
    pool.setJmxEnabled(false);
    return pool;
  }
}
