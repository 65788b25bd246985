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
import java.util.function.Function;
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
   * Reads the settings; the returned function makes the client, which may not have connected yet.
   */
  static Function<Limits, JedisRedis> connector(RedisEndpoint endpoint, LockSettings settings) {
    Function<Limits, JedisRedis> client = client(endpoint, settings);
    Destination destination = endpoint.destination(settings);
    return limits -> {
      try {
        return client.apply(limits);
      } catch (JedisException e) {
        throw JedisClients.FAILURES.connecting(e, destination);
      }
    };
  }

  private static Function<Limits, JedisRedis> client(
      RedisEndpoint endpoint, LockSettings settings) {
    JedisClientConfig config = config(endpoint, settings);
    if (settings.get(RedisSettings.CLUSTER)) {
      return limits -> {
        ClusterConnectionProvider nodes =
            new ClusterConnectionProvider(hosts(endpoint), config, unused());
        return new JedisShards(nodes, limits, nodes::close);
      };
    }
    if (endpoint.primary().isPresent()) {
      // Sentinels usually have no password, or the same.
      JedisClientConfig sentinel = base(endpoint, settings).build();
      return limits -> {
        SentineledConnectionProvider sentinels =
            new SentineledConnectionProvider(
                endpoint.primary().get(), config, unused(), hosts(endpoint), sentinel);
        return new SentinelRedis(() -> primary(sentinels, config), limits, sentinels::close);
      };
    }
    HostAndPort host = jedis(endpoint.hosts().get(0));
    Destination destination = endpoint.destination(settings);
    return limits -> new JedisServer(new ConnectionFactory(host, config), destination, limits);
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

  /** For Jedis' pools, which are not used. */
  private static ConnectionPoolConfig unused() {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMinIdle(0);
    pool.setJmxEnabled(false);
    return pool;
  }
}
