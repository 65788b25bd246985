package dev.leasehold.redis.common;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The scheme with fences and wake-ups: one script for each operation. Thread-safe. */
public class FencedStore extends KindView
    implements MinimumHold, PermitStore, ReadWriteStore, LatchStore, MultiLockStore, RecallStore {
  final FencedScripts scripts;
  final String storeId;
  final KeySpace keys;
  private final LatchView latches;
  private final TogetherScripts together;
  private final NativeDeletes natives;

  /**
   * A store that owns its client.
   *
   * @param acquire as for {@link FencedScripts}
   * @param storeId likewise; {@link FencedScripts#inOrder} for locks in the order of arrival
   */
  public FencedStore(RedisDriver redis, Script acquire, String storeId, KeySpace keys) {
    this(redis, new FencedScripts(acquire, storeId, keys), acquire, storeId, keys);
  }

  private FencedStore(
      RedisDriver redis, FencedScripts scripts, Script acquire, String storeId, KeySpace keys) {
    super(redis, scripts);
    this.scripts = scripts;
    this.storeId = storeId;
    this.keys = keys;
    this.natives = new NativeDeletes(redis);
    this.latches = new LatchView(redis, new LatchScripts(storeId, keys));
    this.together =
        new TogetherScripts(
            acquire == Script.SETNX_ACQUIRE ? Script.SETNX_TOGETHER : Script.TOGETHER, keys);
  }

  @Override
  public final void start(StoreContext context) {
    redis.start(context);
    scripts.start(context.ticker());
    natives.start(context.ticker());
  }

  /**
   * Not in order of arrival, and for a lease that is not kept, it needs no arguments to publish.
   */
  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    askIfDue(request);
    return scripts.publishes(request)
        ? super.acquire(request)
        : take(request, scripts.acquire(request));
  }

  @Override
  public final CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return scripts.isInOrder()
        ? redis.channel().watchOwn(waiter, wakeUp)
        : super.watch(waiter, wakeUp);
  }

  /** A release may be native once the server has answered. */
  final void askIfDue(AcquireRequest request) {
    String name = request.key().name();
    natives.ask(name, keys.lock(name));
  }

  @Override
  public final LeaseKey prepared(LeaseKey fresh) {
    return natives.markable(fresh);
  }

  @Override
  ScriptCall<ReleaseResult> releasing(LeaseKey lease) {
    ScriptRequest script = natives.release(lease, scripts.release(lease, how(lease)));
    return NativeDeletes.isMarkable(lease.token())
        ? new ScriptCall<>("release", lease.name(), script, reply -> released(lease, (Long) reply))
        : ScriptCall.release(lease, script);
  }

  private ReleaseResult released(LeaseKey lease, long reply) {
    ReleaseResult result = Replies.release(reply);
    natives.released(lease.name(), reply > 1);
    return result;
  }

  @Override
  public final LeaseKey recallable(LeaseKey fresh) {
    return RecallScripts.recallable(fresh, storeId);
  }

  @Override
  public final CompletionStage<Watch> onRecall(LeaseKey lease, Runnable recalled) {
    return redis.channel().watchRecalls(lease, recalled);
  }

  @Override
  public final CompletionStage<?> recall(LeaseKey lease) {
    return redis.send(
        new ScriptCall<>(
            "recall",
            lease.name(),
            RecallScripts.recall(lease, how(lease), keys),
            receivers -> receivers));
  }

  @Override
  public boolean takesTogether(List<String> names) {
    return redis.takesTogether(names.stream().map(keys::lock).toList());
  }

  @Override
  public final CompletionStage<Answer> acquireAll(
      List<AcquireRequest> requests, List<LeaseKey> beside) {
    List<LeaseKey> wanted = requests.stream().map(AcquireRequest::key).toList();
    return redis.acquire(
        new ScriptCall<>(
            FencedScripts.withOthers("acquire", requests.size()),
            wanted.get(0).name(),
            together.acquire(requests, beside),
            reply -> TogetherScripts.acquired(requests, reply),
            Answer.Granted.class::isInstance),
        wanted,
        requests.get(0).ttl(),
        () -> redis.send(releasing(wanted)));
  }

  @Override
  public final CompletionStage<List<ReleaseResult>> releaseAll(List<LeaseKey> leases) {
    return redis.release(leases, () -> releasing(leases));
  }

  private ScriptCall<List<ReleaseResult>> releasing(List<LeaseKey> leases) {
    return new ScriptCall<>(
        FencedScripts.withOthers("release", leases.size()),
        leases.get(0).name(),
        together.release(leases, this::how),
        TogetherScripts::released);
  }

  @Override
  public final CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return redis.release(
        List.of(lease),
        () -> ScriptCall.keep(lease, FencedScripts.keep(keys.lock(lease.name()), lease, rest)));
  }

  @Override
  public final LeaseStore reads() {
    return side(Side.READ, "");
  }

  @Override
  public final LeaseStore readsBeside(LeaseKey write) {
    return side(Side.READ, write.token());
  }

  @Override
  public final LeaseStore writes() {
    return side(Side.WRITE, "");
  }

  /** As the constructor of {@link ReadWriteScripts}. */
  final LeaseStore side(Side side, String beside) {
    return side(new ReadWriteScripts(storeId, keys, side, beside));
  }

  LeaseStore side(ReadWriteScripts side) {
    return new KindView(redis, side);
  }

  @Override
  public final LeaseStore permits(int wanted, int of) {
    return new KindView(redis, new PermitScripts(storeId, keys, wanted, of));
  }

  /** Of all permits of a name, however many. */
  private PermitScripts permits() {
    return new PermitScripts(storeId, keys, 1, 1);
  }

  @Override
  public final CompletionStage<Permits> count(String name) {
    return count(name, permits().count(name));
  }

  final CompletionStage<Permits> count(String name, ScriptRequest script) {
    return redis.send(
        new ScriptCall<>("count", name, script, reply -> PermitScripts.counted((List<?>) reply)));
  }

  @Override
  public final CompletionStage<?> resize(String name, int from, int to) {
    return redis.send(
        new ScriptCall<>(
            "resize",
            name,
            permits().resize(name, from, to, how(name)),
            now -> {
              if ((Long) now != to) {
                throw PermitStore.anotherNumber(name, from, (Long) now);
              }
              return to;
            }));
  }

  @Override
  public final CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    return redis.send(ScriptCall.release(lease, permits().shrink(lease, keep, how(lease))));
  }

  @Override
  public final Latches latches() {
    return latches;
  }

  @Override
  public Set<Guarantee> guarantees() {
    return scripts.isInOrder()
        ? FencedGuarantees.inOrder()
        : FencedGuarantees.ofStore(redis.takesManyKeys());
  }

  @Override
  public final void close() {
    redis.close();
  }
}
