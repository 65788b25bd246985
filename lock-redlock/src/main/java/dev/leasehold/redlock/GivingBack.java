package dev.leasehold.redlock;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** What a node is asked to do with a token that is given back. Stateless. */
@FunctionalInterface
interface GivingBack {
  /** The lock is free. */
  GivingBack FREE = (node, key, fences, now) -> fences.release(node, key);

  /** The lock is free, and nobody is woken; where nodes keep an order, so that they can. */
  GivingBack WITHDRAWN = (node, key, fences, now) -> fences.withdraw(node, key);

  /** Asks a node, at this instant. */
  CompletionStage<ReleaseResult> on(Member node, LeaseKey key, Fences fences, long now);

  /**
   * The lock stays taken until then, for a minimum hold. A node that was away, and is asked later,
   * keeps it no longer than the others.
   */
  static GivingBack keptUntil(long instant) {
    return (node, key, fences, now) -> {
      Duration rest = Duration.ofNanos(instant - now);
      long millis = rest.isNegative() ? 0 : rest.plusMillis(1).minusNanos(1).toMillis();
      return millis == 0
          ? fences.release(node, key)
          : ((MinimumHold) node.store).keep(key, Duration.ofMillis(millis));
    };
  }
}
