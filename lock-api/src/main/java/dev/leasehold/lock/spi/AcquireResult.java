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
   * @param retryAfter when its lease ends if nobody renews it; at least zero. {@link #ENDLESS}
   *     where the store can't tell. Where waiters poll, they ask the more often the more often this
   *     end moves
   * @param resolution in steps of how much ends are told: holds that begin within one step look
   *     alike; above zero
   */
  record Held(Duration retryAfter, Duration resolution) implements AcquireResult {
    /** What a store answers that knows of no end: a second, to look again by then. */
    public static final Duration ENDLESS = Duration.ofSeconds(1);

    private static final Duration MILLISECOND = Duration.ofMillis(1);

    /** Longer than any lease. */
    private static final Duration BEYOND = Duration.ofDays(366);

    /** Told in milliseconds. */
    public Held(Duration retryAfter) {
      this(retryAfter, MILLISECOND);
    }

    /** Whether {@code retryAfter} is the end of a lease. */
    public boolean tellsAnEnd() {
      return !retryAfter.equals(ENDLESS) && retryAfter.compareTo(BEYOND) < 0;
    }
  }
}
