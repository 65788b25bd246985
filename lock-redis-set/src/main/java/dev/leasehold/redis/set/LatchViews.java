package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.LatchScripts;
import dev.leasehold.redis.common.ScriptRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Latches on a store's connection and channel. Thread-safe. */
final class LatchViews implements Latches {
  private final LettuceRedis redis;
  private final WakeChannel channel;
  private final LatchScripts scripts;
  private final StoreOptions options;

  LatchViews(LettuceRedis redis, WakeChannel channel, LatchScripts scripts, StoreOptions options) {
    this.redis = redis;
    this.channel = channel;
    this.scripts = scripts;
    this.options = options;
  }

  @Override
  public CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor) {
    return done("open", round, scripts.open(round, count, keepFor));
  }

  @Override
  public CompletionStage<Boolean> countDown(LeaseKey once) {
    return done("count down", once, scripts.countDown(once, channel.publishing(once.name())));
  }

  /** Fails if too few replicas have the write; repeating it does no harm. */
  private CompletionStage<Boolean> done(String operation, LeaseKey key, ScriptRequest script) {
    LettuceScriptCall<Long, Boolean> call =
        new LettuceScriptCall<>(
            redis, operation, key.name(), script, LettuceKindView::number, LatchScripts::done);
    return call.send(options, done -> done);
  }

  @Override
  public CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed) {
    return new LettuceScriptCall<List<Object>, Optional<State>>(
            redis,
            "look at",
            waiter.name(),
            scripts.look(waiter, ifClosed),
            LettuceKindView::list,
            LatchScripts::state)
        .send();
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return new LettuceScriptCall<>(
            redis,
            "leave",
            waiter.name(),
            scripts.leave(waiter),
            LettuceKindView::number,
            reply -> reply)
        .send();
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return channel.watch(waiter.name(), wakeUp);
  }
}
