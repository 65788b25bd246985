package dev.leasehold.redlock;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** How a token is given back to a node. Stateless. */
@FunctionalInterface
interface NodeReleases {
  /** Releases the lock. */
  NodeReleases FREE = (node, key, fences, now) -> fences.release(node, key);

  /**
   * Releases the lock without waking a waiter; only for nodes of a fair quorum, which support it.
   */
  NodeReleases WITHDRAWN = (node, key, fences, now) -> fences.withdraw(node, key);

  /** Gives the token back to a node. */
  CompletionStage<ReleaseResult> on(Member node, LeaseKey key, Fences fences, long now);

  /**
   * Keeps the lock taken until the end of a minimum hold. A node that is reached later keeps it no
   * longer than the others.
   */
  static NodeReleases keptUntil(long instant) {
    return (node, key, fences, now) -> {
      Duration rest = Duration.ofNanos(instant - now);
      long millis = rest.isNegative() ? 0 : rest.plusMillis(1).minusNanos(1).toMillis();
      return millis == 0
          ? fences.release(node, key)
          : ((MinimumHold) node.store).keep(key, Duration.ofMillis(millis));
    };
  }
}
