package dev.leasehold.lock.internal;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Several locks that no store takes in one step, as {@link AllLocks} takes them without blocking,
 * by a simulated machine's time.
 */
public final class OneByOne {
  private OneByOne() {}

  /**
   * Takes all, in at most this time; empty if others have some. Whoever cancels it gives up.
   *
   * @param locks each as its owner's
   */
  public static CompletableFuture<Optional<List<Lease>>> take(
      SimClient client, List<DistributedLock> locks, Optional<Duration> atMost) {
    Clock clock =
        new Clock(client.node().ticker(), client.node().scheduler(), client.node().executor());
    return new AllAsync(locks, null, clock, client.node()::random)
        .take(atMost, Function.identity());
  }
}
