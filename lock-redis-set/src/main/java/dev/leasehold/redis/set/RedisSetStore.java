package dev.leasehold.redis.set;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.LatchScripts;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.TogetherScripts;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The scheme with fences and wake-ups: one script for each operation. Thread-safe. */
class RedisSetStore extends LettuceKindView
    implements MinimumHold, PermitStore, ReadWriteStore, LatchStore, MultiLockStore {
  final FencedScripts scripts;
  private final PermitScripts permits;
  final ReadWriteScripts readWrite;
  private final LatchViews latches;
  private final TogetherScripts together;

  /** A store that owns its {@link LettuceRedis}. */
  RedisSetStore(LettuceRedis redis, WakeChannel channel, String storeId, StoreOptions options) {
    this(
        redis,
        channel,
        new FencedScripts(Script.ACQUIRE, storeId, options.keys()),
        storeId,
        options);
  }

  RedisSetStore(
      LettuceRedis redis,
      WakeChannel channel,
      FencedScripts scripts,
      String storeId,
      StoreOptions options) {
    super(redis, channel, options);
    this.scripts = scripts;
    this.permits = new PermitScripts(storeId, options.keys());
    this.readWrite = new ReadWriteScripts(storeId, options.keys());
    this.latches =
        new LatchViews(redis, channel, new LatchScripts(storeId, options.keys()), options);
    this.together = new TogetherScripts(options.keys());
  }

  @Override
  public void start(StoreContext context) {
    options.start(redis, context);
    scripts.start(context.ticker());
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    ScriptRequest script =
        options.isFair()
            ? scripts.acquireInOrder(request, how(request.key()))
            : scripts.acquire(request);
    return acquire(request, redis, script);
  }

  final CompletionStage<AcquireResult> acquire(
      AcquireRequest request, Sender to, ScriptRequest script) {
    return take(request, to, script, reply -> scripts.acquired(request, reply));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return options.isFair() ? channel.watchOwn(waiter, wakeUp) : super.watch(waiter, wakeUp);
  }

  @Override
  public boolean takesTogether(List<String> names) {
    return redis.takesManyKeys()
        || names.stream()
                .map(name -> SlotHash.getSlot(options.keys().lock(name)))
                .distinct()
                .limit(2)
                .count()
            == 1;
  }

  @Override
  public CompletionStage<Answer> acquireAll(List<AcquireRequest> requests, List<LeaseKey> beside) {
    LettuceScriptCall<Object, Answer> call =
        new LettuceScriptCall<>(
            redis,
            TogetherScripts.acquiring(requests),
            requests.get(0).key().name(),
            together.acquire(requests, beside),
            NumbersOutput::new,
            reply -> TogetherScripts.acquired(requests, reply));
    List<LeaseKey> wanted = requests.stream().map(AcquireRequest::key).toList();
    mayComeLate(call, wanted);
    return call.send(options, Answer.Granted.class::isInstance, () -> freed(wanted));
  }

  @Override
  public CompletionStage<List<ReleaseResult>> releaseAll(List<LeaseKey> leases) {
    return ending(leases, () -> freed(leases));
  }

  private CompletionStage<List<ReleaseResult>> freed(List<LeaseKey> leases) {
    return new LettuceScriptCall<>(
            redis,
            TogetherScripts.releasing(leases),
            leases.get(0).name(),
            together.release(leases, channel::publishing),
            NumbersOutput::new,
            TogetherScripts::released)
        .send();
  }

  @Override
  ScriptRequest giving(LeaseKey lease) {
    return scripts.release(lease, how(lease));
  }

  @Override
  ScriptRequest giving(LeaseKey lease, FenceRun run) {
    return scripts.release(lease, run, how(lease));
  }

  @Override
  ScriptRequest leaving(LeaseKey waiter) {
    return scripts.leave(waiter, how(waiter));
  }

  @Override
  void left(LeaseKey waiter) {
    scripts.left(waiter);
  }

  @Override
  ScriptRequest renewal(List<RenewRequest> batch) {
    return FencedScripts.renew(batch, options.keys()::lock);
  }

  @Override
  Optional<ScriptRequest> inspection(String name) {
    return Optional.of(scripts.inspect(name));
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return ending(
        List.of(lease), () -> keep(redis, lease, options.keys().lock(lease.name()), rest));
  }

  /** The same for a key of either mode. */
  static CompletionStage<ReleaseResult> keep(
      LettuceRedis redis, LeaseKey lease, byte[] key, Duration rest) {
    return new LettuceScriptCall<>(
            redis,
            "release and keep",
            lease.name(),
            FencedScripts.keep(key, lease, rest),
            LettuceKindView::number,
            Replies::keep)
        .send();
  }

  @Override
  public LeaseStore reads() {
    return side(Side.READ, "");
  }

  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    return side(Side.READ, write.token());
  }

  @Override
  public LeaseStore writes() {
    return side(Side.WRITE, "");
  }

  /**
   * A side of read/write locks.
   *
   * @param beside the token of a writer that this reader may coexist with; empty for none
   */
  LeaseStore side(Side side, String beside) {
    return new ReadWriteView(this, readWrite, side, beside);
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    return new LettucePermitView(this, permits, wanted, of);
  }

  @Override
  public CompletionStage<Permits> count(String name) {
    return list("count", name, permits.count(name), PermitScripts::counted);
  }

  @Override
  public CompletionStage<?> resize(String name, int from, int to) {
    ScriptRequest script = permits.resize(name, from, to, channel.publishing(name));
    return number("resize", name, script, now -> now)
        .thenAccept(
            now -> {
              if (now != to) {
                throw PermitStore.anotherNumber(name, from, now);
              }
            });
  }

  @Override
  public CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    ScriptRequest script = permits.shrink(lease, keep, channel.publishing(lease.name()));
    return number("release", lease.name(), script, Replies::release);
  }

  @Override
  public Latches latches() {
    return latches;
  }

  @Override
  public Set<Guarantee> guarantees() {
    return options.isFair()
        ? FencedScripts.guaranteesInOrder()
        : FencedScripts.guaranteesOfStore(redis.takesManyKeys());
  }

  @Override
  public void close() {
    channel.close();
    redis.close();
  }
}
