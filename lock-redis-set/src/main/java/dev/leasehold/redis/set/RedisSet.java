package dev.leasehold.redis.set;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseStore;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes stores of the scheme {@code redis-set} on an application's own Lettuce client:
 * <!-- given: RedisClient client -->
 *
 * <pre>{@code
 * LeaseStore store = RedisSet.over(client, RedisURI.create("redis://localhost")).open();
 * LockManager locks = LockManager.over(store).build();
 * }</pre>
 *
 * <p>The store makes connections of its own on the client's threads, with the client's options but
 * two: a command fails at once while its connection is broken, rather than being kept and sent
 * later, and Lettuce's time-outs are off, since the lock manager has its own. The store closes its
 * connections and never the client; shut the client down after the lock manager.
 *
 * <p>Not thread-safe; the stores are.
 */
public final class RedisSet {
  private final Supplier<Redis> connector;
  private RedisSetMode mode = RedisSetMode.FENCED;
  private Consumer<Redis> check = EvictionCheck::check;

  private RedisSet(Supplier<Redis> connector) {
    this.connector = connector;
  }

  /** On one server, or on the primary that Sentinels name. */
  public static RedisSet over(RedisClient client, RedisURI uri) {
    Objects.requireNonNull(client, "client");
    Objects.requireNonNull(uri, "uri");
    return new RedisSet(() -> SingleRedis.beside(client, uri));
  }

  static RedisSet from(LockSettings settings) {
    List<RedisURI> uris = Endpoint.uris(settings);
    ClientOptions options =
        Clients.options(settings.get(RedisSetSettings.CONNECT_TIMEOUT), Endpoint.ssl(settings));
    RedisSet made = new RedisSet(() -> SingleRedis.own(uris.get(0), options));
    if (settings.get(RedisSetSettings.ALLOW_EVICTION)) {
      made.allowEviction();
    }
    return made.mode(settings.get(RedisSetSettings.MODE));
  }

  /** What is written to Redis. Default: {@link RedisSetMode#FENCED}. */
  public RedisSet mode(RedisSetMode mode) {
    this.mode = Objects.requireNonNull(mode, "mode");
    return this;
  }

  /**
   * Works also on a server that may evict keys, and with them locks that are held. By default such
   * a server is refused.
   */
  public RedisSet allowEviction() {
    check = redis -> {};
    return this;
  }

  /**
   * Connects. Blocks until the server has answered.
   *
   * @throws LockStoreException if it can't be reached or refuses
   */
  public LeaseStore open() {
    String storeId = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    Redis redis = connector.get();
    return new RedisSetStore(redis, new StoreChannel(redis, storeId, "1"), storeId, check);
  }
}
