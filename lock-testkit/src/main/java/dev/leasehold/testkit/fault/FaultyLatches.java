package dev.leasehold.testkit.fault;

import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A store's latches with faults in front of them. */
final class FaultyLatches implements Latches {
  private final Latches latches;
  private final Faults faults;

  FaultyLatches(Latches latches, Faults faults) {
    this.latches = latches;
    this.faults = faults;
  }

  @Override
  public CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor) {
    return faults.around(Op.OPEN, round, () -> latches.open(round, count, keepFor));
  }

  @Override
  public CompletionStage<Boolean> countDown(LeaseKey once) {
    return faults.around(Op.COUNT_DOWN, once, () -> latches.countDown(once));
  }

  @Override
  public CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed) {
    return faults.around(Op.LOOK, waiter, () -> latches.look(waiter, ifClosed));
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return faults.around(Op.LEAVE, waiter, () -> latches.leave(waiter).thenApply(done -> waiter));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return faults.around(Op.WATCH, waiter, () -> latches.watch(waiter, faults.heard(wakeUp)));
  }
}
