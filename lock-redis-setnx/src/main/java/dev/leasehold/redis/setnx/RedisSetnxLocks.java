package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Problems;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.redis.common.ClientVersion;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.FencedNode;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.FencedStore;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.RedisEndpoint;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptCheck;
import dev.leasehold.redis.setnx.JedisConnections.Limits;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.UnifiedJedis;

/**
 * Makes stores of the SETNX family on an application's own Jedis client:
 * <!-- given: redis.clients.jedis.UnifiedJedis client -->
 *
 * <pre>{@code
 * LockManager locks = RedisSetnxLocks.over(client).manager();
 * }</pre>
 *
 * <p>The store makes connections of its own, in the way of the client's pool: to the same address,
 * as the same user, with the same TLS. Each call uses one while it runs, up to {@link
 * #connections}, and from the first waiter on there is one for wake-ups. The pool's connections are
 * not used: the pool may be exhausted, and would connect on the caller's thread regardless of its
 * deadline. The store never closes the client; close that after the lock manager.
 *
 * <p>Not thread-safe; the stores are.
 */
public final class RedisSetnxLocks {
  private final Function<Limits, JedisRedis> connector;
  private Duration patience = Duration.ofSeconds(2);
  private int connections = SetnxSettings.DEFAULT_CONNECTIONS;
  private SetnxScheme scheme = SetnxScheme.SETNX_SCRIPT;
  private SetnxClock clock = SetnxClock.SERVER;
  private Eviction eviction = Eviction.REFUSED;
  private KeySpace keys = KeySpace.WHOLE;
  private boolean fair;

  private RedisSetnxLocks(Function<Limits, JedisRedis> connector) {
    this.connector = connector;
  }

  /**
   * On the server, Sentinels or cluster of a client: a {@code JedisPooled}, {@code JedisSentineled}
   * or {@code JedisCluster}, a {@code RedisClient}, {@code RedisSentinelClient} or {@code
   * RedisClusterClient}, or a {@code UnifiedJedis} made with one of their providers.
   *
   * @throws IllegalArgumentException if it is of another kind
   * @throws LockConfigurationException if Jedis is older than 6.0
   */
  public static RedisSetnxLocks over(UnifiedJedis client) {
    Objects.requireNonNull(client, "client");
    checkVersion();
    UserClient.check(client);
    return new RedisSetnxLocks(limits -> UserClient.redis(client, limits));
  }

  private static void checkVersion() {
    // By a class that old versions have, too.
    Optional<String> found = ClientVersion.ofMaven(Jedis.class, "redis.clients", "jedis");
    ClientVersion.check("Jedis", found, 6, 0);
  }

  static RedisSetnxLocks from(LockSettings settings) {
    checkVersion(); // before other classes of Jedis are used
    RedisEndpoint endpoint = RedisEndpoint.of(settings, "Jedis has no Unix sockets: redis-set has");
    RedisSetnxLocks made = new RedisSetnxLocks(JedisClients.connector(endpoint, settings));
    made.patience = settings.get(RedisSettings.CONNECT_TIMEOUT);
    made.settings(settings).checkOrder();
    return made;
  }

  /**
   * Applies all settings except those of the connection: scheme, clock, fairness, limit of
   * connections, eviction and key prefix.
   *
   * @throws LockConfigurationException if one of these is wrong
   */
  public RedisSetnxLocks settings(LockSettings settings) {
    scheme(settings.get(SetnxSettings.SCHEME)).clock(settings.get(SetnxSettings.CLOCK));
    connections(settings.get(SetnxSettings.CONNECTIONS));
    keys = KeySpace.of(settings);
    if (settings.get(RedisSettings.ALLOW_EVICTION)) {
      allowEviction();
    }
    return settings.get(RedisSettings.FAIR) ? fair() : this;
  }

  /** As {@link #from}; refuses settings that a node of a quorum can't have. */
  static RedisSetnxLocks fromNode(LockSettings settings) {
    return RedisSettings.node(settings, new Problems(), () -> from(settings));
  }

  /** On one server, as a node of a quorum. By {@link SetnxScheme#SETNX_SCRIPT}. Blocks. */
  static IdentifiedStore node(LockSettings settings, Duration longestLease) {
    RedisSetnxLocks made = fromNode(settings);
    JedisRedis redis = made.connected();
    String storeId = FencedScripts.newId(made.fair);
    JedisNode node = new JedisNode(redis, storeId, made.eviction, made.keys, longestLease);
    try {
      node.enter();
    } catch (RuntimeException | Error e) {
      node.close();
      throw e;
    }
    return new FencedNode(node, storeId, made.keys);
  }

  /** A client that has answered. */
  private JedisRedis connected() {
    JedisRedis redis = connector.apply(new Limits(connections, patience));
    try {
      redis.ping();
      if (scheme == SetnxScheme.SETNX_SCRIPT) {
        checkScripts(redis);
      }
    } catch (RuntimeException | Error e) {
      redis.close();
      throw e;
    }
    return redis;
  }

  /**
   * Limits the connections to a node: each call uses one, and wake-ups another. Default: 64.
   *
   * @param most 2 to 10,000
   */
  public RedisSetnxLocks connections(int most) {
    if (most < 2 || most > SetnxSettings.MOST_CONNECTIONS) {
      throw new IllegalArgumentException(
          "connections " + most + " are not between 2 and " + SetnxSettings.MOST_CONNECTIONS);
    }
    connections = most;
    return this;
  }

  /** Sets how locks are stored. Default: {@link SetnxScheme#SETNX_SCRIPT}. */
  public RedisSetnxLocks scheme(SetnxScheme scheme) {
    this.scheme = Objects.requireNonNull(scheme, "scheme");
    return this;
  }

  /** Sets the clock of the timestamp schemes. Default: {@link SetnxClock#SERVER}. */
  public RedisSetnxLocks clock(SetnxClock clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Sets a prefix of all keys and channels, so that several applications can share a server. No
   * prefix should begin with another one. Default: none.
   *
   * @param prefix 1 to 64 characters of A-Z a-z 0-9 . _ : / -
   */
  public RedisSetnxLocks keyPrefix(String prefix) {
    this.keys = new KeySpace(prefix);
    return this;
  }

  /**
   * Accepts a server that may evict keys, including those of held locks. By default such a server
   * is refused.
   */
  public RedisSetnxLocks allowEviction() {
    eviction = Eviction.ALLOWED;
    return this;
  }

  /**
   * Grants locks in the order of arrival, across processes that are all fair; processes that are
   * not may overtake. Each waiter sends its own requests, and locks are not handed over inside the
   * process, so this is slower. An unresponsive waiter delays the others by half a second, once for
   * all waiters of its process. Other kinds of locks have their own queues. Default: processes take
   * turns, see {@link dev.leasehold.lock.Guarantee#TURNS}.
   */
  public RedisSetnxLocks fair() {
    fair = true;
    return this;
  }

  private void checkOrder() {
    if (fair && scheme != SetnxScheme.SETNX_SCRIPT) {
      throw new LockConfigurationException(
          RedisSettings.FAIR.key()
              + " = true needs "
              + SetnxSettings.SCHEME.key()
              + " = "
              + RedisSettings.id(SetnxScheme.SETNX_SCRIPT)
              + ": "
              + RedisSettings.id(scheme)
              + " has no line of waiters");
    }
  }

  /**
   * Connects. Blocks until the server has answered.
   *
   * @throws LockConfigurationException if it is {@link #fair()} and the scheme has no queue
   * @throws LockStoreException if the server can't be reached or refuses
   */
  public LeaseStore open() {
    checkOrder();
    JedisRedis redis = connected();
    return switch (scheme) {
      case SETNX_SCRIPT -> {
        String storeId = FencedScripts.newId(fair);
        yield new FencedStore(
            new JedisDriver(redis, storeId, eviction, keys), Script.SETNX_ACQUIRE, storeId, keys);
      }
      case SETNX_TIMESTAMP -> new TimestampStore(redis, wallClock(), eviction, keys);
      case YII2 -> in(TimestampFormat.YII2, redis);
      case REDIS_OBJECTS -> in(TimestampFormat.REDIS_OBJECTS, redis);
      case MILLIS -> in(TimestampFormat.MILLIS, redis);
      case SECONDS -> in(TimestampFormat.SECONDS, redis);
    };
  }

  /**
   * A manager over {@link #open()} with default settings. For others pass the store to {@link
   * LockManager#over}. Blocks as {@link #open()}.
   *
   * @throws LockStoreException if the server can't be reached or refuses
   */
  public LockManager manager() {
    return LockManager.over(open()).build();
  }

  private static void checkScripts(JedisRedis redis) {
    ScriptCheck.check(
        SetnxSettings.SCHEME.key() + " = " + RedisSettings.id(SetnxScheme.SETNX_SCRIPT),
        (how, script) -> {
          Command command = Command.of(Protocol.Command.valueOf(how), script, new byte[] {'0'});
          redis.talk("run scripts for", "*", new byte[0], answers -> answers.call(command));
        });
  }

  private LeaseStore in(TimestampFormat format, JedisRedis redis) {
    return new ForeignFormatStore(redis, wallClock(), eviction, keys, format);
  }

  private WallClock wallClock() {
    return switch (clock) {
      case SERVER -> WallClock.server();
      case LOCAL -> WallClock.local();
    };
  }
}
