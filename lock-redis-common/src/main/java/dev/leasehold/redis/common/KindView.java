package dev.leasehold.redis.common;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A kind of lock on a store's client and channel: how scripts are sent, whatever the kind and the
 * client. The store itself is the view of plain locks. Thread-safe.
 */
class KindView implements LeaseStore {
  final RedisDriver redis;
  private final KindScripts scripts;

  KindView(RedisDriver redis, KindScripts scripts) {
    this.redis = redis;
    this.scripts = scripts;
  }

  final Publishing how(LeaseKey key) {
    return how(key.name());
  }

  final Publishing how(String name) {
    return redis.channel().publishing(name);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return take(request, scripts.acquire(request, how(request.key())));
  }

  final CompletionStage<AcquireResult> take(AcquireRequest request, ScriptRequest script) {
    return take(
        request, script, reply -> scripts.acquired(request, reply), Granted.class::isInstance);
  }

  final <R> CompletionStage<R> take(
      AcquireRequest request,
      ScriptRequest script,
      Function<Object, R> meaning,
      Predicate<R> granted) {
    LeaseKey lease = request.key();
    return redis.acquire(
        new ScriptCall<>("acquire", lease.name(), script, meaning, granted),
        List.of(lease),
        request.ttl(),
        () -> redis.send(ScriptCall.release(lease, scripts.release(lease, how(lease)))));
  }

  @Override
  public final List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return RenewalBatches.renew(redis, batch, scripts::renew);
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return redis.release(List.of(lease), () -> releasing(lease));
  }

  /** The call that releases a lease. */
  ScriptCall<ReleaseResult> releasing(LeaseKey lease) {
    return ScriptCall.release(lease, scripts.release(lease, how(lease)));
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return redis.release(
        List.of(lease), () -> ScriptCall.release(lease, scripts.release(lease, run, how(lease))));
  }

  /** Raises a lease's fence, for nodes of a quorum. */
  final CompletionStage<RenewResult> raise(LeaseKey lease, ScriptRequest script) {
    return redis.send(
        new ScriptCall<>(
            "raise the fence of",
            lease.name(),
            script,
            reply -> (Long) reply == 1 ? RenewResult.RENEWED : RenewResult.NOT_OWNER));
  }

  @Override
  public final CompletionStage<?> leave(LeaseKey waiter) {
    return redis.send(
        new ScriptCall<>(
            "leave",
            waiter.name(),
            scripts.leave(waiter, how(waiter)),
            reply -> {
              scripts.left(waiter);
              return reply;
            }));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return redis.channel().watch(waiter.name(), wakeUp);
  }

  @Override
  public final CompletionStage<Optional<StoredLease>> inspect(String name) {
    Optional<ScriptRequest> script = scripts.inspection(name);
    return script.isEmpty()
        ? CompletableFuture.completedFuture(Optional.empty())
        : redis.send(
            new ScriptCall<>(
                "inspect", name, script.get(), reply -> Replies.inspect((List<?>) reply)));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return scripts.guaranteed();
  }

  @Override
  public void close() {
    // The store closes what the views share.
  }
}
