package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.AcquireRequest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Tells scripts a place in a line of a quorum's node: the proposal less what is taken off it. */
final class Places {
  private Places() {}

  /** What a waiter with such a place would have been waiting for when this is proposed. */
  static Duration waited(AcquireRequest request, long proposal) {
    return request.place().isPresent()
        ? Duration.of(proposal - request.place().getAsLong(), ChronoUnit.MICROS)
        : request.waited();
  }

  /** The request of a waiter that has been waiting for so long. */
  static AcquireRequest asWaited(AcquireRequest request, long proposal) {
    return request.withWaited(waited(request, proposal));
  }
}
