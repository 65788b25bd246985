package dev.leasehold.redis.setnx;

import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.LatchScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ScriptRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Latches on a store's connections and channel. Thread-safe. */
final class JedisLatchView implements Latches {
  private final ScriptStore store;
  private final LatchScripts scripts;
  private final WakeListener listener;
  private final Function<String, Publishing> publishing;

  JedisLatchView(
      ScriptStore store,
      LatchScripts scripts,
      WakeListener listener,
      Function<String, Publishing> publishing) {
    this.store = store;
    this.scripts = scripts;
    this.listener = listener;
    this.publishing = publishing;
  }

  @Override
  public CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor) {
    return done("open", round, scripts.open(round, count, keepFor));
  }

  @Override
  public CompletionStage<Boolean> countDown(LeaseKey once) {
    ScriptRequest script = scripts.countDown(once, publishing.apply(once.name()));
    return done("count down", once, script);
  }

  private CompletionStage<Boolean> done(String operation, LeaseKey key, ScriptRequest script) {
    return store.blocking(
        () -> LatchScripts.done((Long) store.send(operation, key.name(), script)));
  }

  @Override
  public CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed) {
    ScriptRequest script = scripts.look(waiter, ifClosed);
    return store.blocking(
        () ->
            store.ask(
                "look at", waiter.name(), script, reply -> LatchScripts.state((List<?>) reply)));
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    ScriptRequest script = scripts.leave(waiter);
    return store.blocking(() -> store.send("leave", waiter.name(), script));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return listener.watch(waiter.name(), wakeUp);
  }
}
