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
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.Replies;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** Shares locks with {@code RLock}, with one script for each operation. Thread-safe. */
class RLockStore implements MinimumHold {
  final Client client;
  final Unlocks unlocks;
  final Watched watched;
  private final Eviction eviction;
  final Scripts scripts;
  final ConnectionLosses connections;
  private final RedissonRenewals renewing;

  /** A store that owns its {@link Client}. */
  RLockStore(Client client, Eviction eviction) {
    this.client = client;
    this.eviction = eviction;
    this.watched = new Watched(client);
    this.connections = client.connections();
    this.unlocks = new Unlocks(client.executor(), connections);
    this.scripts = new Scripts(client.executor(), connections);
    this.renewing =
        new RedissonRenewals(
            client,
            scripts,
            RedissonScript.RENEW,
            LockKind.LOCK,
            lease -> List.of(keys(lease.name()).lock()),
            LeaseKey::token);
  }

  @Override
  public void start(StoreContext context) {
    scripts.start(context);
    client.checkScripts();
    eviction.check(() -> client.info("memory"));
  }

  final Keys keys(String name) {
    return client.keys(name);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    Keys keys = keys(request.key().name());
    return scripts.acquisition(
        RedissonScriptCall.of(
            RedissonScript.ACQUIRE,
            "acquire",
            keys.name(),
            List.of(keys.lock(), keys.fence()),
            request.key().token(),
            millis(request.ttl()),
            "0",
            Integer.toString(request.handOvers())),
        request.key(),
        answer -> acquired(request, answer));
  }

  /** Parses the reply to an acquisition. */
  final CompletionStage<AcquireResult> acquired(AcquireRequest request, Answer<Object> answer) {
    AcquireResult result = Replies.acquire(answer.reply(), request.ttl());
    if (answer.isInDoubt(result)) {
      return answer.withdrawn(() -> release(request.key()));
    }
    watched.answered(request.key(), result);
    return CompletableFuture.completedFuture(result);
  }

  @Override
  public final List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    List<Optional<LockStoreException>> refusals = batch.stream().map(watched::refusal).toList();
    List<RenewRequest> allowed =
        IntStream.range(0, batch.size())
            .filter(i -> refusals.get(i).isEmpty())
            .mapToObj(batch::get)
            .toList();
    Iterator<CompletionStage<RenewResult>> answers = renewing.renew(allowed).iterator();
    return refusals.stream()
        .map(
            refusal ->
                refusal.isPresent()
                    ? CompletableFuture.<RenewResult>failedStage(refusal.get())
                    : answers.next())
        .toList();
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    watched.released(lease);
    Keys keys = keys(lease.name());
    return ending(
        RedissonScriptCall.of(
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
        RedissonScriptCall.of(
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
        RedissonScriptCall.of(
            RedissonScript.KEEP,
            "release and keep",
            lease.name(),
            List.of(keys(lease.name()).lock()),
            lease.token(),
            millis(rest)),
        lease,
        Replies::keep);
  }

  /** Ends a lease by this call. */
  final CompletionStage<ReleaseResult> ending(
      RedissonScriptCall call, LeaseKey lease, LongFunction<ReleaseResult> meaning) {
    return scripts.ending(
        call.kind(), lease, keys(lease.name()), () -> scripts.number(call, meaning::apply));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return unlocks.watch(keys(waiter.name()), wakeUp);
  }

  @Override
  public final CompletionStage<Optional<StoredLease>> inspect(String name) {
    Keys keys = keys(name);
    return scripts.list(
        RedissonScriptCall.of(
            RedissonScript.INSPECT, "inspect", name, List.of(keys.lock(), keys.fence())),
        reply -> Replies.inspect(reply).map(this::known));
  }

  /**
   * Omits the fence for a holder through Redisson's own locks, which has none: the last one is
   * ours.
   */
  private StoredLease known(StoredLease stored) {
    return ForeignHolder.of(stored.token())
        .map(holder -> new StoredLease(shown(holder), stored.remaining(), OptionalLong.empty()))
        .orElse(stored);
  }

  /** The name of a holder through Redisson's own locks. */
  String shown(ForeignHolder holder) {
    return holder.field();
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
