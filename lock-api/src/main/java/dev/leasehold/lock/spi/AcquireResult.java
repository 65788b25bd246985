package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** What a store answers to {@link AcquireRequest}. */
public sealed interface AcquireResult {

  /** The largest fencing number, 2^53 - 1: up to here a double tells whole numbers apart. */
  long MOST_FENCE = (1L << 53) - 1;

  /**
   * The token holds the lock.
   *
   * @param fence the holder's fencing token: larger than every number of earlier grants of the
   *     name, 0 to {@link #MOST_FENCE}; empty where the store has no {@link
   *     dev.leasehold.lock.Guarantee#FENCING}
   * @param handOvers how many numbers after {@code fence} are this grant's as well: each hand-over
   *     inside the process takes the next one, and every later grant's is larger than all of them.
   *     At most what was asked for, or more where numbers cost a store nothing. Without any, each
   *     release goes to the store
   * @param ttl for how long from when the request was sent
   * @param slots the numbers of the permits, in order, where they have any ({@link
   *     dev.leasehold.lock.Guarantee#SLOTS}): then the fence is larger than those of these; empty
   *     otherwise
   */
  record Granted(OptionalLong fence, int handOvers, Duration ttl, List<Integer> slots)
      implements AcquireResult {
    /** As told. */
    public Granted {
      slots = List.copyOf(slots);
    }

    /** A grant of what has no slots. */
    public Granted(OptionalLong fence, int handOvers, Duration ttl) {
      this(fence, handOvers, ttl, List.of());
    }

    /** A grant with one number. */
    public Granted(OptionalLong fence, Duration ttl) {
      this(fence, 0, ttl);
    }

    @Override
    public String toString() {
      return Quoted.record(
          "Granted", "fence", fence, "handOvers", handOvers, "ttl", ttl, "slots", slots);
    }
  }

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

    @Override
    public String toString() {
      return Quoted.record("Held", "retryAfter", retryAfter, "resolution", resolution);
    }
  }
}
