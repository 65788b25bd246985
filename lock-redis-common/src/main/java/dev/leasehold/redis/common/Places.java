package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.AcquireRequest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Computes a waiter's place in the queue of a quorum's node. Scripts are sent the time waited,
 * which they subtract from the proposal.
 */
final class Places {
  private Places() {}

  /** The time waited for which the proposal minus it is the request's place. */
  static Duration waited(AcquireRequest request, long proposal) {
    return request.place().isPresent()
        ? Duration.of(proposal - request.place().getAsLong(), ChronoUnit.MICROS)
        : request.waited();
  }

  /** The request with that time waited. */
  static AcquireRequest asWaited(AcquireRequest request, long proposal) {
    return request.withWaited(waited(request, proposal));
  }
}
