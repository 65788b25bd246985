package dev.leasehold.redis.set;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Problems;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.redis.common.CompareAndDelete;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.FencedNode;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.FencedStore;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.common.Script;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes stores of the scheme {@code redis-set} on an application's own Lettuce client:
 * <!-- given: RedisClient client -->
 *
 * <pre>{@code
 * LockManager locks = RedisSetLocks.over(client, RedisURI.create("redis://localhost")).manager();
 * }</pre>
 *
 * <p>The store makes connections of its own on the client's threads, with the client's options
 * except for three: a command fails at once while its connection is broken, instead of being kept
 * and sent later; Lettuce's time-outs are off, since the lock manager has its own; and a broken
 * connection is retried every half a second at the latest, where Lettuce by default waits up to 30
 * s after a longer outage. In the server's {@code CLIENT LIST} they have the name given by the
 * address, or else the manager's label. The store closes its connections but not the client; shut
 * the client down after the lock manager.
 *
 * <p>Not thread-safe; the stores are.
 */
public final class RedisSetLocks {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.redis.set");

  private final Supplier<LettuceRedis> connector;

  /** The address for a client of our own; empty for an application's client. */
  private final Optional<LettuceAddress> endpoint;

  private RedisSetMode mode = RedisSetMode.FENCED;
  private Eviction eviction = Eviction.REFUSED;
  private RequiredReplicas replicas = RequiredReplicas.NONE;
  private KeySpace keys = KeySpace.WHOLE;
  private boolean fair;

  private RedisSetLocks(Supplier<LettuceRedis> connector, Optional<LettuceAddress> endpoint) {
    this.connector = connector;
    this.endpoint = endpoint;
  }

  /** On one server, or on the primary that Sentinels name. */
  public static RedisSetLocks over(RedisClient client, RedisURI uri) {
    Objects.requireNonNull(client, "client");
    Clients.checkVersion();
    Objects.requireNonNull(uri, "uri");
    return new RedisSetLocks(() -> LettuceServer.beside(client, uri), Optional.empty());
  }

  /** On a cluster, with the client's seeds and credentials. */
  public static RedisSetLocks over(RedisClusterClient client) {
    Objects.requireNonNull(client, "client");
    Clients.checkVersion();
    return new RedisSetLocks(() -> LettuceCluster.beside(client), Optional.empty());
  }

  static RedisSetLocks from(LockSettings settings) {
    Clients.checkVersion(); // before other classes of Lettuce are used
    LettuceAddress endpoint = LettuceAddress.of(settings);
    RedisSetLocks made =
        new RedisSetLocks(
            settings.get(RedisSettings.CLUSTER)
                ? endpoint::connectToCluster
                : endpoint::connectToServer,
            Optional.of(endpoint));
    made.settings(settings).checkOrder();
    return made;
  }

  /**
   * Applies all settings except those of the connection: mode, fairness, replicas, eviction and key
   * prefix.
   *
   * @throws LockConfigurationException if one of these is wrong
   */
  public RedisSetLocks settings(LockSettings settings) {
    int replicas = settings.get(RedisSetSettings.WAIT_REPLICAS);
    if (replicas > 0) {
      acknowledgedBy(replicas, settings.get(RedisSetSettings.WAIT_TIMEOUT));
    }
    if (settings.get(RedisSettings.ALLOW_EVICTION)) {
      allowEviction();
    }
    keys = KeySpace.of(settings);
    mode(settings.get(RedisSetSettings.MODE));
    return settings.get(RedisSettings.FAIR) ? fair() : this;
  }

  /** As {@link #from}; refuses settings that a node of a quorum can't have. */
  static RedisSetLocks fromNode(LockSettings settings) {
    return RedisSettings.node(settings, new Problems(), () -> from(settings));
  }

  /** On one server, as a node of a quorum. */
  static IdentifiedStore node(LockSettings settings, Duration longestLease) {
    RedisSetLocks made = fromNode(settings);
    StoreOptions options = new StoreOptions(made.eviction, made.replicas, made.keys);
    NodeRedis redis =
        made.endpoint.orElseThrow().connectToNode(new NodeVoter(longestLease, made.keys));
    String storeId = FencedScripts.newId(made.fair);
    return made.mode == RedisSetMode.PLAIN
        ? new PlainNode(new LettuceNode(redis, null, options))
        : new FencedNode(
            new LettuceNode(redis, redis.wakeChannel(storeId, made.keys), options),
            storeId,
            made.keys);
  }

  private void checkOrder() {
    if (fair && mode == RedisSetMode.PLAIN) {
      throw new LockConfigurationException(
          RedisSettings.FAIR.key()
              + " = true needs "
              + RedisSetSettings.MODE.key()
              + " = fenced: plain keys have no line of waiters");
    }
  }

  /** Sets the keys' layout. Default: {@link RedisSetMode#FENCED}. */
  public RedisSetLocks mode(RedisSetMode mode) {
    this.mode = Objects.requireNonNull(mode, "mode");
    return this;
  }

  /**
   * Sets a prefix of all keys and channels, so that several applications can share a server. No
   * prefix should begin with another one. Default: none.
   *
   * @param prefix 1 to 64 characters of A-Z a-z 0-9 . _ : / -
   */
  public RedisSetLocks keyPrefix(String prefix) {
    this.keys = new KeySpace(prefix);
    return this;
  }

  /**
   * Accepts a server that may evict keys, including those of held locks. By default such a server
   * is refused.
   */
  public RedisSetLocks allowEviction() {
    eviction = Eviction.ALLOWED;
    return this;
  }

  /**
   * Lets a lock or a renewal count only when this many replicas have it, by {@code WAIT} on the
   * connection that wrote it. If fewer acknowledge in time, the lock is freed again and the call
   * fails with {@link LockStoreException.Kind#UNAVAILABLE} and their number. This narrows what a
   * failover can lose but does not close the gap: a replica without the write can still be
   * promoted. Other calls may take longer by up to this time. Default: no replicas.
   *
   * @param replicas 1 to 100
   * @param within 1 ms to 1 min, and less than the manager's command time-out
   */
  public RedisSetLocks acknowledgedBy(int replicas, Duration within) {
    if (replicas < 1 || replicas > RedisSetSettings.MOST_REPLICAS) {
      throw new IllegalArgumentException(
          "replicas " + replicas + " are not between 1 and " + RedisSetSettings.MOST_REPLICAS);
    }
    if (within.toMillis() < 1 || within.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException(
          "time " + Setting.written(within) + " is not between 1ms and 1m");
    }
    this.replicas = new RequiredReplicas(replicas, within);
    return this;
  }

  /**
   * Grants locks in the order of arrival, across processes that are all fair; processes that are
   * not may overtake. Each waiter sends its own requests, and locks are not handed over inside the
   * process, so this is slower. An unresponsive waiter delays the others by half a second, once for
   * all waiters of its process. Other kinds of locks have their own queues. Default: processes take
   * turns, see {@link dev.leasehold.lock.Guarantee#TURNS}.
   */
  public RedisSetLocks fair() {
    fair = true;
    return this;
  }

  /**
   * Connects. Blocks until the server has answered. Where scripts are refused, on Redis from 8.4 on
   * and Valkey 9, the store is one of plain locks by commands alone: fenced, without wake-ups. A
   * warning is logged then.
   *
   * @throws LockConfigurationException if it is {@link #fair()} in plain mode, which has no queue
   * @throws LockStoreException if the server can't be reached or refuses
   */
  public LeaseStore open() {
    checkOrder();
    String storeId = FencedScripts.newId(fair);
    LettuceRedis redis = connector.get();
    StoreOptions options = new StoreOptions(eviction, replicas, keys);
    try {
      Optional<CompareAndDelete> deletes = insteadOfScripts(redis);
      if (deletes.isPresent()) {
        return new CommandStore(new LettuceDriver(redis, null, options), deletes.get());
      }
      return mode == RedisSetMode.PLAIN
          ? new PlainStore(new LettuceDriver(redis, null, options))
          : new FencedStore(
              new LettuceDriver(redis, redis.wakeChannel(storeId, keys), options),
              Script.ACQUIRE,
              storeId,
              keys);
    } catch (RuntimeException | Error e) {
      redis.close();
      throw e;
    }
  }

  /** Empty if scripts are permitted. */
  private Optional<CompareAndDelete> insteadOfScripts(LettuceRedis redis) {
    try {
      ScriptProbe.check(redis, mode, fair);
      return Optional.empty();
    } catch (LockConfigurationException refused) {
      if (fair || mode == RedisSetMode.PLAIN) {
        throw refused;
      }
      Optional<CompareAndDelete> found = ScriptProbe.compareAndDelete(redis, keys.lock(""));
      if (found.isEmpty()) {
        throw refused;
      }
      LOG.log(
          Level.WARNING,
          "Scripts are refused here, so locks are made of SET and {0}: waiters poll, and there are"
              + " no other kinds of locks. To have them, permit the commands EVAL and EVALSHA",
          found.get());
      return found;
    }
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
}
