package dev.leasehold.redis.set;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.RedisDriver;
import dev.leasehold.redis.common.ScriptCall;
import dev.leasehold.redis.common.TwoSteps;
import dev.leasehold.redis.common.WakeChannel;
import dev.leasehold.redis.set.Pipeline.Step;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store's scripts on Lettuce, over one connection to each server. Thread-safe.
 *
 * <p>One connection preserves the order of commands; but if it breaks, an acquisition in flight on
 * it may arrive after a release on the next connection.
 */
class LettuceDriver implements RedisDriver {
  final LettuceRedis redis;
  final StoreOptions options;
  final UnansweredAcquisitions late = new UnansweredAcquisitions();
  private final @Nullable WakeChannel channel;

  /**
   * Owns the connections and the channel.
   *
   * @param channel null for a store without wake-ups
   */
  LettuceDriver(LettuceRedis redis, @Nullable WakeChannel channel, StoreOptions options) {
    this.redis = redis;
    this.channel = channel;
    this.options = options;
  }

  @Override
  public void start(StoreContext context) {
    options.start(redis, context);
  }

  @Override
  public final WakeChannel channel() {
    return Objects.requireNonNull(channel);
  }

  @Override
  public final boolean takesManyKeys() {
    return redis.takesManyKeys();
  }

  @Override
  public final boolean takesTogether(List<byte[]> keys) {
    return takesManyKeys() || keys.stream().map(SlotHash::getSlot).distinct().limit(2).count() == 1;
  }

  @Override
  public final CompletionStage<List<?>> commandInfo(
      String lockName, byte[] key, List<byte[]> arguments) {
    return new Pipeline<List<?>>(
            redis,
            "ask the server of",
            lockName,
            key,
            List.of(new Step(CommandType.COMMAND, arguments)),
            replies -> replies.get(0) instanceof List<?> found ? found : List.of())
        .send();
  }

  @Override
  public final <R> CompletionStage<R> send(ScriptCall<R> call) {
    // Repeating what too few replicas have does no harm.
    return new LettuceScriptCall<>(redis, call)
        .send(options, () -> CompletableFuture.completedFuture(null));
  }

  @Override
  public <R> CompletionStage<R> acquire(
      ScriptCall<R> call,
      List<LeaseKey> leases,
      Duration ttl,
      Supplier<? extends CompletionStage<?>> undo) {
    return acquire(redis, call, leases, undo);
  }

  final <R> CompletionStage<R> acquire(
      Sender to,
      ScriptCall<R> call,
      List<LeaseKey> leases,
      Supplier<? extends CompletionStage<?>> undo) {
    LettuceScriptCall<R> sent = new LettuceScriptCall<>(to, call);
    sent.ifUnanswered(by -> leases.forEach(lease -> late.add(lease, by)));
    return sent.send(options, undo);
  }

  @Override
  public final <R> CompletionStage<R> release(List<LeaseKey> leases, Supplier<ScriptCall<R>> call) {
    return late.knowsNone(leases)
        ? send(call.get())
        : ending(leases, call.get().script().kind(), () -> send(call.get()));
  }

  /**
   * Releases leases of which an acquisition may arrive later: first the token is marked as released
   * on the server. Whether the connection was the same is checked after the release, too.
   */
  private <R> CompletionStage<R> ending(
      List<LeaseKey> leases, LockKind kind, Supplier<CompletionStage<R>> release) {
    Optional<LeaseKey> first = leases.stream().filter(late::mayCome).findFirst();
    if (first.isPresent()) {
      LeaseKey lease = first.get();
      CompletionStage<Object> told = send(ScriptCall.gone(lease, options.keys(), kind));
      return new TwoSteps<>(
          told.toCompletableFuture(),
          () -> {
            late.settled(lease);
            return ending(leases, kind, release);
          });
    }
    CompletableFuture<R> released = release.get().toCompletableFuture();
    return new TwoSteps<>(
        released,
        () -> {
          if (leases.stream().anyMatch(late::mayCome)) {
            CompletionStage<R> again = ending(leases, kind, release);
            return new TwoSteps<>(again.toCompletableFuture(), () -> released);
          }
          leases.forEach(late::settled);
          return released;
        });
  }

  @Override
  public final void close() {
    if (channel != null) {
      channel.close();
    }
    redis.close();
  }
}
