package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.redis.common.ClientFailures;
import dev.leasehold.redis.common.Destination;
import dev.leasehold.redis.common.RedisEndpoint;
import dev.leasehold.redis.common.RedisEndpoint.Host;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.common.RedisSettings.Encryption;
import dev.leasehold.redis.setnx.JedisConnections.Limits;
import dev.leasehold.redis.setnx.SentinelRedis.Primary;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/** Creates Jedis clients from settings. */
final class JedisClients {
  /** Turns Jedis' exceptions into the store's. */
  static final ClientFailures FAILURES =
      new ClientFailures(JedisDataException.class, SocketTimeoutException.class);

  private JedisClients() {}

  /**
   * Reads the settings; the returned supplier makes the client, which may not have connected yet.
   */
  static Supplier<JedisRedis> connector(RedisEndpoint endpoint, LockSettings settings) {
    Supplier<JedisRedis> client = client(endpoint, settings);
    Destination destination = endpoint.destination(settings);
    return () -> {
      try {
        return client.get();
      } catch (JedisException e) {
        throw JedisClients.FAILURES.connecting(e, destination);
      }
    };
  }

  private static Supplier<JedisRedis> client(RedisEndpoint endpoint, LockSettings settings) {
    JedisClientConfig config = config(endpoint, settings);
    Limits limits = limits(settings);
    if (settings.get(RedisSettings.CLUSTER)) {
      return () -> {
        ClusterConnectionProvider nodes =
            new ClusterConnectionProvider(hosts(endpoint), config, unused());
        return new JedisShards(nodes, limits, nodes::close);
      };
    }
    if (endpoint.primary().isPresent()) {
      JedisClientConfig sentinel = sentinel(endpoint, settings);
      return () -> {
        SentineledConnectionProvider sentinels =
            new SentineledConnectionProvider(
                endpoint.primary().get(), config, unused(), hosts(endpoint), sentinel);
        return new SentinelRedis(() -> primary(sentinels, config), limits, sentinels::close);
      };
    }
    HostAndPort host = jedis(endpoint.hosts().get(0));
    Destination destination = endpoint.destination(settings);
    return () -> new JedisServer(new ConnectionFactory(host, config), destination, limits);
  }

  private static Primary primary(SentineledConnectionProvider sentinels, JedisClientConfig config) {
    HostAndPort now = sentinels.getCurrentMaster();
    return new Primary(now, new ConnectionFactory(now, config));
  }

  private static Set<HostAndPort> hosts(RedisEndpoint endpoint) {
    return endpoint.hosts().stream().map(JedisClients::jedis).collect(Collectors.toSet());
  }

  private static HostAndPort jedis(Host host) {
    return new HostAndPort(host.name(), host.port());
  }

  private static JedisClientConfig config(RedisEndpoint endpoint, LockSettings settings) {
    DefaultJedisClientConfig.Builder config =
        base(endpoint, settings).database(endpoint.database());
    endpoint.login().ifPresent(who -> who.user().ifPresent(config::user));
    endpoint.login().ifPresent(who -> config.password(who.password()));
    RedisSettings.clientName(settings).ifPresent(config::clientName);
    return config.build();
  }

  /** Sentinels usually have no password, or the same. */
  private static JedisClientConfig sentinel(RedisEndpoint endpoint, LockSettings settings) {
    return base(endpoint, settings).build();
  }

  private static DefaultJedisClientConfig.Builder base(
      RedisEndpoint endpoint, LockSettings settings) {
    int millis = (int) settings.get(RedisSettings.CONNECT_TIMEOUT).toMillis();
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis(millis)
            .socketTimeoutMillis(millis); // for logging in; commands have their own
    if (endpoint.encryption() == Encryption.TLS) {
      config.sslOptions(Tls.of(settings));
    }
    return config;
  }

  private static Limits limits(LockSettings settings) {
    return new Limits(
        settings.get(SetnxSettings.CONNECTIONS), settings.get(RedisSettings.CONNECT_TIMEOUT));
  }

  /** For Jedis' pools, which are not used. */
  private static ConnectionPoolConfig unused() {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMinIdle(0);
    pool.setJmxEnabled(false);
    return pool;
  }
}
