package dev.leasehold.redis.set;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.SharedLeaseStore;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.LatchScripts;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The scheme with fences and wake-ups: one script for each operation. Thread-safe. */
class RedisSetStore implements MinimumHold, PermitStore, SharedLeaseStore, LatchStore {
  private final Redis redis;
  private final WakeChannel channel;
  final FencedScripts scripts;
  private final StoreOptions options;
  private final PermitViews permits;
  final ReadWriteViews readWrite;
  private final LatchViews latches;

  /** A store that owns its {@link Redis}. */
  RedisSetStore(Redis redis, WakeChannel channel, String storeId, StoreOptions options) {
    this(
        redis,
        channel,
        new FencedScripts(Script.ACQUIRE, storeId, options.keys()),
        storeId,
        options);
  }

  RedisSetStore(
      Redis redis,
      WakeChannel channel,
      FencedScripts scripts,
      String storeId,
      StoreOptions options) {
    this.redis = redis;
    this.channel = channel;
    this.scripts = scripts;
    this.options = options;
    this.permits =
        new PermitViews(redis, channel, new PermitScripts(storeId, options.keys()), options);
    this.readWrite =
        new ReadWriteViews(redis, channel, new ReadWriteScripts(storeId, options.keys()), options);
    this.latches =
        new LatchViews(redis, channel, new LatchScripts(storeId, options.keys()), options);
  }

  @Override
  public void start(StoreContext context) {
    options.check(redis, context);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return acquire(request, redis, scripts.acquire(request));
  }

  final CompletionStage<AcquireResult> acquire(
      AcquireRequest request, Sender to, ScriptRequest script) {
    ScriptCall<Object, AcquireResult> call =
        new ScriptCall<>(
            to,
            "acquire",
            request.key().name(),
            script,
            NumbersOutput::new,
            reply -> scripts.acquired(request, reply));
    return options.asksReplicas()
        ? call.sendAcknowledged(
            new Acknowledgement<>(
                options.replicas(), r -> r instanceof Granted, () -> release(request.key())))
        : call.send();
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return Renewing.renew(
        redis, batch, part -> FencedScripts.renew(part, options.keys()::lock), options);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return released(lease, scripts.release(lease, channel.publishing(lease.name())));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return released(lease, scripts.release(lease, run, channel.publishing(lease.name())));
  }

  private CompletionStage<ReleaseResult> released(LeaseKey lease, ScriptRequest script) {
    return new ScriptCall<>(
            redis, "release", lease.name(), script, RedisSetStore::number, Replies::release)
        .send();
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return keep(redis, lease, options.keys().lock(lease.name()), rest);
  }

  /** The same with a key of either mode. */
  static CompletionStage<ReleaseResult> keep(
      Redis redis, LeaseKey lease, byte[] key, Duration rest) {
    return new ScriptCall<>(
            redis,
            "release and keep",
            lease.name(),
            FencedScripts.keep(key, lease, rest),
            RedisSetStore::number,
            Replies::keep)
        .send();
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return new ScriptCall<>(
            redis,
            "leave",
            waiter.name(),
            scripts.leave(waiter, channel.publishing(waiter.name())),
            RedisSetStore::number,
            reply -> reply)
        .send();
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return channel.watch(waiter.name(), wakeUp);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return new ScriptCall<List<Object>, Optional<StoredLease>>(
            redis, "inspect", name, scripts.inspect(name), RedisSetStore::list, Replies::inspect)
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
   * @param beside the token of a writer that a reader may stand beside; empty for none
   */
  LeaseStore side(Side side, String beside) {
    return new ReadWriteView(readWrite, side, beside);
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    return permits.view(wanted, of);
  }

  @Override
  public CompletionStage<Permits> count(String name) {
    return permits.count(name);
  }

  @Override
  public CompletionStage<?> resize(String name, int from, int to) {
    return permits.resize(name, from, to);
  }

  @Override
  public Latches latches() {
    return latches;
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = EnumSet.copyOf(FencedScripts.guarantees());
    all.addAll(
        EnumSet.of(Guarantee.SHARED, Guarantee.WRITERS_TURN, Guarantee.PERMITS, Guarantee.LATCH));
    return all;
  }

  @Override
  public void close() {
    channel.close();
    redis.close();
  }

  static CommandOutput<byte[], byte[], Long> number() {
    return new IntegerOutput<>(ByteArrayCodec.INSTANCE);
  }

  static CommandOutput<byte[], byte[], List<Object>> list() {
    return new NestedMultiOutput<>(ByteArrayCodec.INSTANCE);
  }
}
