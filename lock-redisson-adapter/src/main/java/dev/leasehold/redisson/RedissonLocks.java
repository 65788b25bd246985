package dev.leasehold.redisson;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Problems;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.redis.common.ClientVersion;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.RedisEndpoint;
import dev.leasehold.redis.common.RedisSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.redisson.api.RedissonClient;

/**
 * Makes stores on an application's own Redisson client, which share their locks with the client's
 * {@code RLock}s:
 * <!-- given: org.redisson.api.RedissonClient client -->
 *
 * <pre>{@code
 * LockManager locks = RedissonLocks.over(client).manager();
 * }</pre>
 *
 * <p>Unless the client is for a single server, a lock or a renewal counts only when a replica has
 * it, as with {@code RLock}: by {@code WAIT} for all connected replicas, for the client's {@code
 * slavesSyncTimeout} and at most half of the manager's command time-out. A lock that no replica has
 * is freed again and fails with {@link LockStoreException.Kind#UNAVAILABLE}, unless the client's
 * {@code checkLockSyncedSlaves} is false. A release does not wait.
 *
 * <p>{@code RFencedLock} is excluded too, but has its own tokens, which count from 1: a resource
 * that has seen a fencing token of ours refuses all of its holders, so never use both with one
 * resource.
 *
 * <p>The store uses the client's connections and subscriptions. It never shuts the client down; do
 * that after closing the lock manager.
 *
 * <p>Not thread-safe; the stores are.
 */
public final class RedissonLocks {
  private final Supplier<Client> connector;

  /** The address for a client of our own, unless a file has it. */
  private final Optional<RedisEndpoint> endpoint;

  private RedissonMode mode = RedissonMode.PLAIN;
  private Duration fairTimeout = RedissonSettings.FAIR_TIMEOUT_DEFAULT;
  private Eviction eviction = Eviction.REFUSED;
  private KeySpace keys = KeySpace.WHOLE;

  private RedissonLocks(Supplier<Client> connector, Optional<RedisEndpoint> endpoint) {
    this.connector = connector;
    this.endpoint = endpoint;
  }

  private static void checkVersion() {
    ClientVersion.check("Redisson", ClientVersion.ofPackage(RedissonClient.class), 4, 0);
  }

  /**
   * On the server, cluster or Sentinels' primary that the client is connected to.
   *
   * @throws IllegalArgumentException if it is not Redisson's own implementation
   */
  public static RedissonLocks over(RedissonClient client) {
    Objects.requireNonNull(client, "client");
    checkVersion();
    Client shared = new Client(client, () -> {});
    return new RedissonLocks(() -> shared, Optional.empty());
  }

  /**
   * Reads the settings and Redisson's file. With a client of its own, which {@link #open} connects;
   * that blocks.
   */
  static RedissonLocks from(LockSettings settings) {
    checkVersion(); // before other classes of Redisson are used
    RedissonClients.Plan plan = RedissonClients.plan(settings);
    return new RedissonLocks(plan::connect, plan.endpoint()).settings(settings);
  }

  /**
   * Applies all settings except those of the connection and the renewal: mode, time-out of fair
   * locks, eviction and key prefix.
   *
   * @throws LockConfigurationException if one of these is wrong
   */
  public RedissonLocks settings(LockSettings settings) {
    mode(settings.get(RedissonSettings.MODE))
        .fairTimeout(settings.get(RedissonSettings.FAIR_TIMEOUT));
    keys = KeySpace.of(settings);
    if (settings.get(RedisSettings.FAIR)) {
      throw new LockConfigurationException(
          RedisSettings.named(settings, RedisSettings.FAIR)
              + ": this backend is fair by Redisson's own queue, with "
              + RedissonSettings.MODE.key()
              + " = "
              + RedisSettings.id(RedissonMode.FAIR)
              + ", and not at all as a node of a quorum");
    }
    return settings.get(RedisSettings.ALLOW_EVICTION) ? allowEviction() : this;
  }

  /** As {@link #from}; refuses settings that a node of a quorum can't have. */
  static RedissonLocks fromNode(LockSettings settings) {
    Problems problems = new Problems();
    if (settings.get(RedissonSettings.MODE) != RedissonMode.PLAIN) {
      problems.add(
          RedisSettings.named(settings, RedissonSettings.MODE)
              + ": the nodes of a quorum have no common queue; allowed is "
              + RedisSettings.id(RedissonMode.PLAIN));
    }
    if (settings.get(RedissonSettings.RENEWAL) != RedissonRenewal.LEASEHOLD) {
      problems.add(
          RedisSettings.named(settings, RedissonSettings.RENEWAL)
              + ": a watchdog renews at one node what a quorum has to confirm; allowed is "
              + RedisSettings.id(RedissonRenewal.LEASEHOLD));
    }
    return RedisSettings.node(settings, problems, () -> from(settings));
  }

  /** A node of a quorum. */
  static IdentifiedStore node(LockSettings settings, Duration longestLease) {
    RedissonLocks made = fromNode(settings);
    String address = made.endpoint.orElseThrow().hosts().get(0).toString();
    return new NodeStore(made.connector.get().on(made.keys), made.eviction, address, longestLease);
  }

  /** Sets which of Redisson's locks to share. Default: {@link RedissonMode#PLAIN}. */
  public RedissonLocks mode(RedissonMode mode) {
    this.mode = Objects.requireNonNull(mode, "mode");
    return this;
  }

  /**
   * Sets how long a dead waiter of a fair lock keeps its place; live ones renew theirs. Default: 4
   * s.
   *
   * @param timeout 100 ms to 10 min
   * @throws LockConfigurationException if it is out of range
   */
  public RedissonLocks fairTimeout(Duration timeout) {
    if (timeout.compareTo(RedissonSettings.FAIR_TIMEOUT_LEAST) < 0
        || timeout.compareTo(RedissonSettings.FAIR_TIMEOUT_MOST) > 0) {
      throw new LockConfigurationException(
          "fair time-out "
              + Setting.written(timeout)
              + " is not "
              + RedissonSettings.FAIR_TIMEOUT.type());
    }
    this.fairTimeout = timeout;
    return this;
  }

  /**
   * Sets a prefix of all names, and so of keys and channels, so that several applications can share
   * a server. No prefix should begin with another one. One of Redisson's own locks is the same lock
   * if its name has the prefix. Default: none.
   *
   * @param prefix 1 to 64 characters of A-Z a-z 0-9 . _ : / -
   */
  public RedissonLocks keyPrefix(String prefix) {
    this.keys = new KeySpace(prefix);
    return this;
  }

  /**
   * Accepts a server that may evict keys, including those of held locks. By default such a server
   * is refused.
   */
  public RedissonLocks allowEviction() {
    eviction = Eviction.ALLOWED;
    return this;
  }

  /**
   * Makes the store. Sends nothing, since the client is connected already. When a manager is built
   * on the store, the server is checked: whether scripts are permitted and, unless {@link
   * #allowEviction()}, whether it may evict keys. That blocks, and fails if the server refuses.
   */
  public LeaseStore open() {
    Client client = connector.get().on(keys);
    return switch (mode) {
      case PLAIN -> new StoreOfKinds(client, eviction);
      case FAIR -> new FairStore(client, eviction, fairTimeout);
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

  /**
   * Redisson's own watchdog, for {@link dev.leasehold.lock.LockManager.Builder#renewer}: renews by
   * the client's {@code lockWatchdogTimeout}. It does not report failures, so Leasehold checks each
   * lease a few times in its length, and renews it if less time is left than it promises. A lease
   * longer than {@code lockWatchdogTimeout} is not given to the watchdog, and one that it renews
   * can't be extended beyond that.
   *
   * @param store made here; the one that the manager is over
   * @throws IllegalArgumentException if it was not made here
   */
  public static LeaseRenewer watchdog(LeaseStore store) {
    if (store instanceof RLockStore ours) {
      return new RedissonWatchdog(ours.watched);
    }
    throw new IllegalArgumentException(store.getClass().getName() + " is no store of Redisson's");
  }
}
