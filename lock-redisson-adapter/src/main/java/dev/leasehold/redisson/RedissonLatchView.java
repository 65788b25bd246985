package dev.leasehold.redisson;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.LatchScripts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Shares latches with {@code RCountDownLatch}. Waiters are notified on its channel, so they need no
 * places. Thread-safe.
 */
final class RedissonLatchView implements Latches {
  private final Client client;
  private final Unlocks unlocks;
  private final Scripts scripts;

  RedissonLatchView(Client client, Unlocks unlocks, Scripts scripts) {
    this.client = client;
    this.unlocks = unlocks;
    this.scripts = scripts;
  }

  private RedissonScriptCall call(
      RedissonScript script, String operation, LeaseKey key, String... arguments) {
    Keys keys = client.keys(key.name());
    return RedissonScriptCall.of(
            script,
            operation,
            key.name(),
            List.of(keys.lock(), keys.latchRound(), keys.latchCounted()),
            arguments)
        .about(LockKind.LATCH);
  }

  private String channel(LeaseKey key) {
    return client.keys(key.name()).latchChannel();
  }

  @Override
  public CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor) {
    return done(
        call(
            RedissonScript.LATCH_OPEN,
            "open",
            round,
            round.token(),
            Integer.toString(count),
            Long.toString(keepFor.toMillis()),
            unlocks.publishCommand(),
            channel(round)));
  }

  @Override
  public CompletionStage<Boolean> countDown(LeaseKey once) {
    return done(
        call(
            RedissonScript.LATCH_COUNT_DOWN,
            "count down",
            once,
            once.token(),
            unlocks.publishCommand(),
            channel(once)));
  }

  /** Fails if no replica has the write; repeating it does no harm. */
  private CompletionStage<Boolean> done(RedissonScriptCall call) {
    return scripts.replicated(
        call,
        answer -> {
          boolean done = Long.valueOf(1).equals(answer.reply());
          return done && answer.doubt().isPresent()
              ? CompletableFuture.failedFuture(answer.doubt().get())
              : CompletableFuture.completedFuture(done);
        });
  }

  @Override
  public CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed) {
    return scripts.list(
        call(
            RedissonScript.LATCH_LOOK,
            "look at",
            waiter,
            unlocks.publishCommand(),
            channel(waiter)),
        LatchScripts::state);
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return unlocks.watchLatch(client.keys(waiter.name()), wakeUp);
  }
}
