package dev.leasehold.redis.setnx;

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
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LatchScripts;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.TogetherScripts;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code setnx-script}: one script for each operation. Thread-safe. */
final class ScriptStore extends JedisKindView
    implements MinimumHold, PermitStore, ReadWriteStore, LatchStore, MultiLockStore {
  private final JedisRedis redis;
  private final KeySpace keys;
  private final FencedScripts scripts;
  private final WakeListener listener;
  private final Eviction eviction;
  private final PermitScripts permits;
  private final ReadWriteScripts readWrite;
  private final LatchScripts latches;
  private final TogetherScripts together;
  private final boolean fair;
  private @Nullable StoreContext started;

  /**
   * A store that owns its {@link JedisRedis}.
   *
   * @param fair whether locks are granted in the order of arrival; then the id is {@link
   *     FencedScripts#inOrder}
   */
  ScriptStore(JedisRedis redis, String storeId, Eviction eviction, KeySpace keys, boolean fair) {
    this(redis, new WakeListener(redis, storeId, keys), storeId, eviction, keys, fair);
  }

  private ScriptStore(
      JedisRedis redis,
      WakeListener listener,
      String storeId,
      Eviction eviction,
      KeySpace keys,
      boolean fair) {
    super(redis, listener);
    this.fair = fair;
    this.redis = redis;
    this.listener = listener;
    this.keys = keys;
    this.scripts = new FencedScripts(Script.SETNX_ACQUIRE, storeId, keys);
    this.eviction = eviction;
    this.permits = new PermitScripts(storeId, keys);
    this.readWrite = new ReadWriteScripts(storeId, keys);
    this.latches = new LatchScripts(storeId, keys);
    this.together = TogetherScripts.bySeveralConnections(keys);
  }

  @Override
  public void start(StoreContext context) {
    super.start(context);
    redis.start(context);
    scripts.start(context.ticker());
    listener.start(context);
    started = context;
    eviction.check(redis::memory);
  }

  @Override
  ScriptRequest acquisition(AcquireRequest request) {
    return fair
        ? scripts.acquireInOrder(request, publishing(request.key()))
        : scripts.acquire(request);
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return fair ? listener.watchOwn(waiter, wakeUp) : super.watch(waiter, wakeUp);
  }

  @Override
  AcquireResult acquired(AcquireRequest request, Object reply) {
    return scripts.acquired(request, reply);
  }

  @Override
  public boolean takesTogether(List<String> names) {
    return redis.mayTakeTogether(names.stream().map(keys::lock).toList());
  }

  @Override
  public CompletionStage<Answer> acquireAll(List<AcquireRequest> requests, List<LeaseKey> beside) {
    List<LeaseKey> wanted = requests.stream().map(AcquireRequest::key).toList();
    ScriptRequest script = together.acquire(requests, beside);
    return inTurn(
        wanted,
        () ->
            take(
                TogetherScripts.acquiring(requests),
                wanted,
                script,
                reply -> TogetherScripts.acquired(requests, reply)));
  }

  @Override
  public CompletionStage<List<ReleaseResult>> releaseAll(List<LeaseKey> leases) {
    return inTurn(leases, () -> releaseAllNow(leases));
  }

  private List<ReleaseResult> releaseAllNow(List<LeaseKey> leases) {
    List<LeaseKey> mayCome = leases.stream().filter(this::mayCome).toList();
    List<ReleaseResult> results =
        TogetherScripts.released(
            send(
                TogetherScripts.releasing(leases),
                leases.get(0).name(),
                together.release(leases, mayCome, this::publishing)));
    mayCome.forEach(this::settled);
    return results;
  }

  @Override
  ScriptRequest giving(LeaseKey lease, boolean forGood) {
    Publishing how = publishing(lease);
    return forGood ? scripts.releaseForGood(lease, how) : scripts.release(lease, how);
  }

  @Override
  ScriptRequest giving(LeaseKey lease, FenceRun run) {
    return scripts.release(lease, run, publishing(lease));
  }

  @Override
  ScriptRequest leaving(LeaseKey waiter) {
    return scripts.leave(waiter, publishing(waiter));
  }

  @Override
  void left(LeaseKey waiter) {
    scripts.left(waiter);
  }

  @Override
  ScriptRequest renewal(List<RenewRequest> batch) {
    return FencedScripts.renew(batch, keys::lock);
  }

  @Override
  Optional<ScriptRequest> inspection(String name) {
    return Optional.of(scripts.inspect(name));
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return run(() -> keepNow(lease, rest));
  }

  private ReleaseResult keepNow(LeaseKey lease, Duration rest) {
    boolean mayCome = mayCome(lease);
    ScriptRequest request =
        mayCome
            ? scripts.keepForGood(lease, rest)
            : FencedScripts.keep(keys.lock(lease.name()), lease, rest);
    ReleaseResult result = Replies.keep(number("release and keep", lease.name(), request));
    if (mayCome) {
      settled(lease);
    }
    return result;
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

  private LeaseStore side(Side side, String beside) {
    return new SideView(this, started(), readWrite, this::publishing, side, beside);
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    return new SemaphoreView(this, started(), permits, this::publishing, wanted, of);
  }

  private StoreContext started() {
    return Objects.requireNonNull(started, "not started");
  }

  @Override
  public CompletionStage<Permits> count(String name) {
    return run(() -> PermitScripts.counted((List<?>) send("count", name, permits.count(name))));
  }

  @Override
  public CompletionStage<?> resize(String name, int from, int to) {
    return run(
        () -> {
          long now = number("resize", name, permits.resize(name, from, to, publishing(name)));
          if (now != to) {
            throw PermitStore.anotherNumber(name, from, now);
          }
          return to;
        });
  }

  @Override
  public CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    return run(
        () ->
            Replies.release(
                number("release", lease.name(), permits.shrink(lease, keep, publishing(lease)))));
  }

  @Override
  public Latches latches() {
    return new JedisLatchView(this, latches, listener, this::publishing);
  }

  @Override
  public Set<Guarantee> guarantees() {
    return fair
        ? FencedScripts.guaranteesInOrder()
        : FencedScripts.guaranteesOfStore(redis.takesManyKeys());
  }

  @Override
  public void close() {
    listener.close();
    redis.close();
  }

  private Publishing publishing(LeaseKey key) {
    return publishing(key.name());
  }

  private Publishing publishing(String name) {
    return keys.toStore(name, redis.counts());
  }

  private long number(String operation, String lockName, ScriptRequest request) {
    return (Long) send(operation, lockName, request);
  }
}
