package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.OptionalLong;

/** What a store answers to {@link AcquireRequest}. */
public sealed interface AcquireResult {

  /**
   * The token holds the lock.
   *
   * @param fence larger than that of every earlier grant of the name, 0 to 2^53; empty where the
   *     store has no {@link dev.leasehold.lock.Guarantee#FENCING}
   * @param ttl for how long from when the request was sent
   */
  record Granted(OptionalLong fence, Duration ttl) implements AcquireResult {}

  /**
   * Another token holds the lock.
   *
   * @param retryAfter when its lease ends if nobody renews it; at least zero
   */
  record Held(Duration retryAfter) implements AcquireResult {}
}
