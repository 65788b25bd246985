package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.Latches.State;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Latches on a store's client and channel. Thread-safe. */
final class LatchView implements Latches {
  private final RedisDriver redis;
  private final LatchScripts scripts;

  LatchView(RedisDriver redis, LatchScripts scripts) {
    this.redis = redis;
    this.scripts = scripts;
  }

  @Override
  public CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor) {
    return done("open", round, scripts.open(round, count, keepFor));
  }

  @Override
  public CompletionStage<Boolean> countDown(LeaseKey once) {
    Publishing how = redis.channel().publishing(once.name());
    return done("count down", once, scripts.countDown(once, how));
  }

  /** Fails if too few replicas have the write; repeating it does no harm. */
  private CompletionStage<Boolean> done(String operation, LeaseKey key, ScriptRequest script) {
    return redis.send(
        new ScriptCall<>(
            operation,
            key.name(),
            script,
            reply -> LatchScripts.done((Long) reply),
            Boolean::booleanValue));
  }

  @Override
  public CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed) {
    return redis.send(
        new ScriptCall<>(
            "look at",
            waiter.name(),
            scripts.look(waiter, ifClosed),
            reply -> LatchScripts.state((List<?>) reply)));
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return redis.send(
        new ScriptCall<>("leave", waiter.name(), scripts.leave(waiter), reply -> reply));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return redis.channel().watch(waiter.name(), wakeUp);
  }
}
