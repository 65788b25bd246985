package dev.leasehold.redis.set;

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
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.TwoSteps;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A kind of lock implemented by scripts, on a store's connection and channel: how scripts are sent,
 * whatever the kind. The store itself is the view of plain locks. Thread-safe.
 */
abstract class LettuceKindView implements LeaseStore {
  final LettuceRedis redis;
  final WakeChannel channel;
  final StoreOptions options;
  private final UnansweredAcquisitions late;

  /** The store itself. */
  LettuceKindView(LettuceRedis redis, WakeChannel channel, StoreOptions options) {
    this(redis, channel, options, new UnansweredAcquisitions());
  }

  /** A view of a store. */
  LettuceKindView(LettuceKindView store) {
    this(store.redis, store.channel, store.options, store.late);
  }

  private LettuceKindView(
      LettuceRedis redis, WakeChannel channel, StoreOptions options, UnansweredAcquisitions late) {
    this.redis = redis;
    this.channel = channel;
    this.options = options;
    this.late = late;
  }

  abstract ScriptRequest giving(LeaseKey lease);

  abstract ScriptRequest giving(LeaseKey lease, FenceRun run);

  abstract ScriptRequest leaving(LeaseKey waiter);

  abstract ScriptRequest renewal(List<RenewRequest> batch);

  abstract Optional<ScriptRequest> inspection(String name);

  final Publishing how(LeaseKey key) {
    return channel.publishing(key.name());
  }

  final CompletionStage<AcquireResult> take(
      AcquireRequest request,
      Sender to,
      ScriptRequest script,
      Function<Object, AcquireResult> meaning) {
    return take(request, to, script, meaning, result -> result instanceof Granted);
  }

  /** Acquires; succeeds only if enough replicas have the write. */
  final <R> CompletionStage<R> take(
      AcquireRequest request,
      Sender to,
      ScriptRequest script,
      Function<Object, R> meaning,
      Predicate<R> granted) {
    LettuceScriptCall<Object, R> call =
        new LettuceScriptCall<>(
            to, "acquire", request.key().name(), script, NumbersOutput::new, meaning);
    mayComeLate(call, List.of(request.key()));
    return call.send(options, granted, () -> freed(request.key()));
  }

  /** Records acquisitions that end without an answer, for {@link #ending}. */
  final void mayComeLate(Call<?, ?> acquisition, List<LeaseKey> leases) {
    acquisition.ifUnanswered(by -> leases.forEach(lease -> late.add(lease, by)));
  }

  /**
   * Releases leases. One connection preserves the order of commands; but if it breaks, an
   * acquisition in flight on it may arrive after a release on the next connection. Then the token
   * is first marked as released on the server. Whether the connection was the same is checked after
   * the release, too.
   */
  final <R> CompletionStage<R> ending(
      List<LeaseKey> leases, Supplier<? extends CompletionStage<R>> release) {
    if (late.knowsNone(leases)) {
      return release.get();
    }
    Optional<LeaseKey> first = leases.stream().filter(late::mayCome).findFirst();
    if (first.isPresent()) {
      LeaseKey lease = first.get();
      CompletionStage<Long> told =
          number("release", lease.name(), FencedScripts.gone(lease, options.keys()), done -> done);
      return new TwoSteps<>(
          told.toCompletableFuture(),
          () -> {
            late.settled(lease);
            return ending(leases, release);
          });
    }
    CompletableFuture<R> released = release.get().toCompletableFuture();
    return new TwoSteps<>(
        released,
        () -> {
          if (leases.stream().anyMatch(late::mayCome)) {
            CompletionStage<R> again = ending(leases, release);
            return new TwoSteps<>(again.toCompletableFuture(), () -> released);
          }
          leases.forEach(late::settled);
          return released;
        });
  }

  /** Raises a lease's fence, for nodes of a quorum. */
  final CompletionStage<RenewResult> raise(LeaseKey lease, ScriptRequest script) {
    return number(
        "raise the fence of",
        lease.name(),
        script,
        reply -> reply == 1 ? RenewResult.RENEWED : RenewResult.NOT_OWNER);
  }

  @Override
  public final List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return RenewalBatches.renew(redis, batch, this::renewal, options);
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return ending(List.of(lease), () -> freed(lease));
  }

  /** Releases it without protection from late acquisitions: the token may be used again. */
  private CompletionStage<ReleaseResult> freed(LeaseKey lease) {
    return number("release", lease.name(), giving(lease), Replies::release);
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return ending(
        List.of(lease),
        () -> number("release", lease.name(), giving(lease, run), Replies::release));
  }

  @Override
  public final CompletionStage<?> leave(LeaseKey waiter) {
    return number(
        "leave",
        waiter.name(),
        leaving(waiter),
        reply -> {
          left(waiter);
          return reply;
        });
  }

  /** The server has confirmed that a waiter left. */
  void left(LeaseKey waiter) {}

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return channel.watch(waiter.name(), wakeUp);
  }

  @Override
  public final CompletionStage<Optional<StoredLease>> inspect(String name) {
    return inspection(name)
        .map(script -> list("inspect", name, script, Replies::inspect))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return FencedScripts.guaranteesOfKinds();
  }

  @Override
  public void close() {
    // The store closes what the views share.
  }

  /** Sends a script whose reply is a number. */
  final <R> CompletionStage<R> number(
      String operation, String name, ScriptRequest script, Function<Long, R> meaning) {
    return new LettuceScriptCall<Long, R>(
            redis, operation, name, script, LettuceKindView::number, meaning)
        .send();
  }

  /** Sends a script whose reply is a list. */
  final <R> CompletionStage<R> list(
      String operation, String name, ScriptRequest script, Function<List<Object>, R> meaning) {
    return new LettuceScriptCall<List<Object>, R>(
            redis, operation, name, script, LettuceKindView::list, meaning)
        .send();
  }

  static CommandOutput<byte[], byte[], Long> number() {
    return new IntegerOutput<>(ByteArrayCodec.INSTANCE);
  }

  static CommandOutput<byte[], byte[], List<Object>> list() {
    return new NestedMultiOutput<>(ByteArrayCodec.INSTANCE);
  }
}
