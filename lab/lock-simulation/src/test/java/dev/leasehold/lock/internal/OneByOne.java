package dev.leasehold.lock.internal;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.internal.several.AllLocks;
import dev.leasehold.lock.internal.several.GatherContext;
import dev.leasehold.lock.internal.threads.Clock;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Several locks that the store cannot take in one step, acquired one after another without blocking
 * as by {@link AllLocks}, in simulated time.
 */
public final class OneByOne {
  private OneByOne() {}

  /**
   * Takes all locks within this time; empty if some are held by others. Cancelling the future gives
   * up.
   *
   * @param locks the owner's views of the locks
   */
  public static CompletableFuture<Optional<List<Lease>>> take(
      SimClient client, List<DistributedLock> locks, Optional<Duration> atMost) {
    Clock clock =
        new Clock(client.node().ticker(), client.node().scheduler(), client.node().executor());
    return AllLocks.async(locks, null, GatherContext.of(clock, client.node()::random))
        .take(atMost, Function.identity());
  }
}
