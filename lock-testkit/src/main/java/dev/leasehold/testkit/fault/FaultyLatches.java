package dev.leasehold.testkit.fault;

import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A store's latches with faults in front of them. */
final class FaultyLatches implements Latches {
  private final Latches latches;
  private final Faults faults;

  FaultyLatches(Latches latches, Faults faults) {
    this.latches = latches;
    this.faults = faults;
  }

  private <T> CompletionStage<T> around(
      Op op, LeaseKey key, Supplier<? extends CompletionStage<T>> call) {
    return faults.around(op, key.name(), key.token(), call);
  }

  @Override
  public CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor) {
    return around(Op.OPEN, round, () -> latches.open(round, count, keepFor));
  }

  @Override
  public CompletionStage<Boolean> countDown(LeaseKey once) {
    return around(Op.COUNT_DOWN, once, () -> latches.countDown(once));
  }

  @Override
  public CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed) {
    return around(Op.LOOK, waiter, () -> latches.look(waiter, ifClosed));
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return around(Op.LEAVE, waiter, () -> latches.leave(waiter).thenApply(done -> waiter));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return around(Op.WATCH, waiter, () -> latches.watch(waiter, faults.heard(wakeUp)));
  }
}
