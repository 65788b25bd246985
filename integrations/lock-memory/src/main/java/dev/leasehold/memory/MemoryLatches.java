package dev.leasehold.memory;

import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A manager's view of the latches. */
record MemoryLatches(Memory memory, MemoryStore store) implements Latches {

  private <T> CompletionStage<T> call(LeaseKey key, Memory.LatchStep<T> step) {
    return memory.callLatch(Call.OTHER, store, key.name(), step);
  }

  @Override
  public CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor) {
    return call(round, (latch, now, none) -> latch.open(round.token(), count, keepFor, now));
  }

  @Override
  public CompletionStage<Boolean> countDown(LeaseKey once) {
    return call(once, (latch, now, wakes) -> latch.countDown(once.token(), now, wakes));
  }

  @Override
  public CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed) {
    return call(waiter, (latch, now, none) -> latch.look(waiter.token(), ifClosed, store, now));
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return call(waiter, (latch, now, none) -> latch.leave(waiter.token()));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    Runnable ear = () -> store.wake(wakeUp);
    return call(
        waiter,
        (latch, now, none) -> {
          latch.listen(store, ear);
          return () -> memory.locked(() -> latch.stopListening(store, ear));
        });
  }
}
