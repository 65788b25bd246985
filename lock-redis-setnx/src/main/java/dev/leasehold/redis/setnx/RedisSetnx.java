package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.redis.common.RedisEndpoint;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.common.ScriptCheck;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;

/**
 * Makes stores of the SETNX family on an application's own Jedis client:
 * <!-- given: redis.clients.jedis.RedisClient client -->
 *
 * <pre>{@code
 * LeaseStore store = RedisSetnx.over(client).open();
 * LockManager locks = LockManager.over(store).build();
 * }</pre>
 *
 * <p>The store borrows connections of the client's pool: one for each call while it runs, and one
 * for listening from the first waiter on. It never closes the client; close that after the lock
 * manager.
 *
 * <p>Not thread-safe; the stores are.
 */
public final class RedisSetnx {
  /** What to do about a server that may evict keys. */
  enum Eviction {
    REFUSED,
    ALLOWED
  }

  private final Supplier<Redis> connector;
  private SetnxScheme scheme = SetnxScheme.SETNX_SCRIPT;
  private SetnxClock clock = SetnxClock.SERVER;
  private Eviction eviction = Eviction.REFUSED;

  private RedisSetnx(Supplier<Redis> connector) {
    this.connector = connector;
  }

  /** On one server. */
  public static RedisSetnx over(RedisClient client) {
    Objects.requireNonNull(client, "client");
    return new RedisSetnx(() -> new SingleRedis(client));
  }

  /** On the primary that Sentinels name. */
  public static RedisSetnx over(RedisSentinelClient client) {
    Objects.requireNonNull(client, "client");
    return new RedisSetnx(() -> new SentinelRedis(client, () -> {}));
  }

  /** On a cluster. */
  public static RedisSetnx over(RedisClusterClient client) {
    Objects.requireNonNull(client, "client");
    return new RedisSetnx(() -> new ClusterRedis(client, () -> {}));
  }

  static RedisSetnx from(LockSettings settings) {
    RedisEndpoint endpoint = RedisEndpoint.of(settings, "Jedis has no Unix sockets: redis-set has");
    RedisSetnx made =
        new RedisSetnx(Clients.connector(endpoint, settings))
            .scheme(settings.get(SetnxSettings.SCHEME))
            .clock(settings.get(SetnxSettings.CLOCK));
    return settings.get(RedisSettings.ALLOW_EVICTION) ? made.allowEviction() : made;
  }

  /** How locks are kept. Default: {@link SetnxScheme#SETNX_SCRIPT}. */
  public RedisSetnx scheme(SetnxScheme scheme) {
    this.scheme = Objects.requireNonNull(scheme, "scheme");
    return this;
  }

  /** Whose clock decides in the timestamp schemes. Default: {@link SetnxClock#SERVER}. */
  public RedisSetnx clock(SetnxClock clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Works also on a server that may evict keys, and with them locks that are held. By default such
   * a server is refused.
   */
  public RedisSetnx allowEviction() {
    eviction = Eviction.ALLOWED;
    return this;
  }

  /**
   * Connects. Blocks until the server has answered.
   *
   * @throws LockStoreException if it can't be reached or refuses
   */
  public LeaseStore open() {
    Redis redis = connector.get();
    try {
      redis.ping();
      if (scheme == SetnxScheme.SETNX_SCRIPT) {
        checkScripts(redis);
      }
    } catch (RuntimeException e) {
      redis.close();
      throw e;
    }
    return switch (scheme) {
      case SETNX_SCRIPT -> {
        String storeId = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        yield new ScriptStore(redis, storeId, eviction);
      }
      case SETNX_TIMESTAMP -> new TimestampStore(redis, wallClock(), eviction);
      case YII2 -> in(TimestampFormat.YII2, redis);
      case REDIS_OBJECTS -> in(TimestampFormat.REDIS_OBJECTS, redis);
      case MILLIS -> in(TimestampFormat.MILLIS, redis);
      case SECONDS -> in(TimestampFormat.SECONDS, redis);
    };
  }

  private static void checkScripts(Redis redis) {
    ScriptCheck.check(
        SetnxSettings.SCHEME.key() + " = " + SetnxScheme.SETNX_SCRIPT.id(),
        () -> ask(redis, Protocol.Command.EVALSHA, ScriptCheck.unknownSha()),
        () -> ask(redis, Protocol.Command.EVAL, ScriptCheck.body()));
  }

  private static void ask(Redis redis, Protocol.Command how, byte[] script) {
    Command command = Command.of(how, script, new byte[] {'0'});
    redis.talk("run scripts for", "*", new byte[0], wire -> wire.call(command));
  }

  private LeaseStore in(TimestampFormat format, Redis redis) {
    return new ForeignFormatStore(redis, wallClock(), eviction, format);
  }

  private WallClock wallClock() {
    return switch (clock) {
      case SERVER -> WallClock.server();
      case LOCAL -> WallClock.local();
    };
  }
}
