package dev.leasehold.redis.setnx;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.FenceRun;
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
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.setnx.Attempts.Outcome;
import dev.leasehold.redis.setnx.KindView.Connected;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** {@code setnx-script}: one script for each operation. Thread-safe. */
final class ScriptStore extends BlockingLeaseStore
    implements MinimumHold, PermitStore, SharedLeaseStore {
  private final Redis redis;
  private final KeySpace keys;
  private final FencedScripts scripts;
  private final WakeListener listener;
  private final Eviction eviction;
  private final LateAcquisitions late = new LateAcquisitions();
  private final PermitScripts permits;
  private final ReadWriteScripts readWrite;
  private @Nullable Connected connected;

  /** A store that owns its {@link Redis}. */
  ScriptStore(Redis redis, String storeId, Eviction eviction, KeySpace keys) {
    this.keys = keys;
    this.redis = redis;
    this.scripts = new FencedScripts(Script.SETNX_ACQUIRE, storeId, keys);
    this.listener = new WakeListener(redis, storeId, keys);
    this.eviction = eviction;
    this.permits = PermitScripts.bySeveralConnections(storeId, keys);
    this.readWrite = ReadWriteScripts.bySeveralConnections(storeId, keys);
  }

  @Override
  public void start(StoreContext context) {
    super.start(context);
    redis.start(context);
    listener.start(context);
    connected = new Connected(redis, listener, late, context);
    eviction.check(redis::memory);
  }

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    LeaseKey lease = request.key();
    ScriptRequest script = scripts.acquire(request);
    AtomicBoolean mayCome = new AtomicBoolean();
    late.begin(lease);
    try {
      Object reply =
          redis.talk(
              "acquire",
              lease.name(),
              script.keys()[0],
              conversation -> {
                mayCome.set(true);
                return conversation.script(script);
              });
      mayCome.set(false);
      return scripts.acquired(request, Objects.requireNonNull(reply));
    } catch (LockStoreException failure) {
      if (Outcome.of(failure) == Outcome.KNOWN) {
        mayCome.set(false);
      }
      throw failure;
    } finally {
      if (!mayCome.get()) {
        late.end(lease);
      }
    }
  }

  /** As many as one script may take share one call. */
  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    int most = redis.takesManyKeys() ? FencedScripts.mostAtOnce() : 1;
    List<CompletionStage<RenewResult>> results = new ArrayList<>(batch.size());
    for (int from = 0; from < batch.size(); from += most) {
      List<RenewRequest> part = batch.subList(from, Math.min(batch.size(), from + most));
      CompletionStage<List<?>> replies = run(() -> renewAll(part));
      for (int i = 0; i < part.size(); i++) {
        int index = i;
        String name = part.get(i).key().name();
        results.add(replies.thenApply(all -> Replies.renew(all.get(index), name)));
      }
    }
    return results;
  }

  private List<?> renewAll(List<RenewRequest> part) {
    ScriptRequest request = FencedScripts.renew(part, keys::lock);
    return (List<?>) send(FencedScripts.renewing(part), part.get(0).key().name(), request);
  }

  @Override
  protected RenewResult renewNow(RenewRequest request) {
    return Replies.renew(renewAll(List.of(request)).get(0), request.key().name());
  }

  @Override
  protected ReleaseResult releaseNow(LeaseKey lease) {
    if (!late.mayCome(lease)) {
      return Replies.release(
          number("release", lease.name(), scripts.release(lease, publishing(lease))));
    }
    ReleaseResult result =
        Replies.release(
            number("release", lease.name(), scripts.releaseForGood(lease, publishing(lease))));
    late.settled(lease);
    return result;
  }

  @Override
  protected ReleaseResult releaseNow(LeaseKey lease, FenceRun run) {
    return late.mayCome(lease)
        ? releaseNow(lease)
        : Replies.release(
            number("release", lease.name(), scripts.release(lease, run, publishing(lease))));
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return run(() -> keepNow(lease, rest));
  }

  private ReleaseResult keepNow(LeaseKey lease, Duration rest) {
    boolean mayCome = late.mayCome(lease);
    ScriptRequest request =
        mayCome
            ? scripts.keepForGood(lease, rest)
            : FencedScripts.keep(keys.lock(lease.name()), lease, rest);
    ReleaseResult result = Replies.keep(number("release and keep", lease.name(), request));
    if (mayCome) {
      late.settled(lease);
    }
    return result;
  }

  @Override
  protected void leaveNow(LeaseKey waiter) {
    number("leave", waiter.name(), scripts.leave(waiter, publishing(waiter)));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return listener.watch(waiter.name(), wakeUp);
  }

  @Override
  protected Optional<StoredLease> inspectNow(String name) {
    ScriptRequest request = scripts.inspect(name);
    return redis.talk(
        "inspect",
        name,
        request.keys()[0],
        conversation -> Replies.inspect((List<?>) conversation.script(request)));
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
    return new SideView(connected(), readWrite, this::publishing, side, beside);
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    return new SemaphoreView(connected(), permits, this::publishing, wanted, of);
  }

  private Connected connected() {
    return Objects.requireNonNull(connected, "not started");
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
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = EnumSet.copyOf(FencedScripts.guarantees());
    all.addAll(EnumSet.of(Guarantee.SHARED, Guarantee.WRITERS_TURN, Guarantee.PERMITS));
    return all;
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

  private Object send(String operation, String lockName, ScriptRequest request) {
    return redis.talk(
        operation,
        lockName,
        request.keys()[0],
        conversation -> Objects.requireNonNull(conversation.script(request)));
  }
}
