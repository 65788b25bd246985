package dev.leasehold.redisson;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.Replies;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Shares locks with {@code RLock}, with one script for each operation. Thread-safe. */
class RLockStore extends RedissonView implements MinimumHold {
  final Watched watched;
  private final Eviction eviction;
  final ConnectionLosses connections;

  /** A store that owns its {@link Client}. */
  RLockStore(Client client, Eviction eviction) {
    this(client, eviction, client.connections());
  }

  private RLockStore(Client client, Eviction eviction, ConnectionLosses connections) {
    super(
        client,
        new Unlocks(client.executor(), connections),
        new Scripts(client.executor(), connections),
        LockKind.LOCK,
        RedissonScript.RENEW);
    this.eviction = eviction;
    this.watched = new Watched(client);
    this.connections = connections;
  }

  @Override
  public void start(StoreContext context) {
    scripts.start(context);
    client.checkScripts();
    eviction.check(() -> client.info("memory"));
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    Keys keys = keys(request.key().name());
    return acquire(
        call(
            RedissonScript.ACQUIRE,
            "acquire",
            keys.name(),
            List.of(keys.lock(), keys.fence()),
            request.key().token(),
            millis(request.ttl()),
            "0",
            Integer.toString(request.handOvers())),
        request.key(),
        reply -> Replies.acquire(reply, request.ttl()));
  }

  @Override
  final void answered(LeaseKey lease, AcquireResult result) {
    watched.answered(lease, result);
  }

  @Override
  final List<String> renewed(LeaseKey lease) {
    return List.of(keys(lease.name()).lock());
  }

  @Override
  final Optional<LockStoreException> refusal(RenewRequest request) {
    return watched.refusal(request);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    watched.released(lease);
    Keys keys = keys(lease.name());
    return ending(
        call(
            RedissonScript.RELEASE,
            "release",
            lease.name(),
            List.of(keys.lock(), keys.channel()),
            lease.token(),
            unlocks.publishCommand()),
        lease,
        Replies::release);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    watched.released(lease);
    Keys keys = keys(lease.name());
    return ending(
        call(
            RedissonScript.RELEASE_RUN,
            "release",
            lease.name(),
            List.of(keys.lock(), keys.channel(), keys.fence()),
            lease.token(),
            unlocks.publishCommand(),
            Long.toString(run.used()),
            Long.toString(run.last())),
        lease,
        Replies::release);
  }

  /**
   * By the key's time to live, which plain locks respect as well. Nothing is published: a waiting
   * {@code RLock} tries again when the time to live that it last saw is over.
   */
  @Override
  public final CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    watched.released(lease);
    return ending(
        call(
            RedissonScript.KEEP,
            "release and keep",
            lease.name(),
            List.of(keys(lease.name()).lock()),
            lease.token(),
            millis(rest)),
        lease,
        Replies::keep);
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return unlocks.watch(keys(waiter.name()), wakeUp);
  }

  @Override
  public final CompletionStage<Optional<StoredLease>> inspect(String name) {
    Keys keys = keys(name);
    return inspect(
        call(RedissonScript.INSPECT, "inspect", name, List.of(keys.lock(), keys.fence())));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return EnumSet.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.CLOCK_INDEPENDENT,
        Guarantee.WAKE_UP,
        Guarantee.FENCING,
        Guarantee.MINIMUM_HOLD);
  }

  @Override
  public void close() {
    unlocks.close();
    connections.close();
    client.close();
  }

  static String millis(Duration time) {
    return Long.toString(time.toMillis());
  }
}
