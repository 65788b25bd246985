package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A store's answer to an {@link AcquireRequest}. */
public sealed interface AcquireResult {

  /** The largest fencing token, 2^53 - 1: up to here a double represents every integer exactly. */
  long MOST_FENCE = (1L << 53) - 1;

  /**
   * The token holds the lock.
   *
   * @param fence the holder's fencing token: larger than every token of earlier grants of the name,
   *     0 to {@link #MOST_FENCE}; empty if the store does not promise {@link
   *     dev.leasehold.lock.Guarantee#FENCING}
   * @param handOvers how many tokens after {@code fence} are reserved for this grant: each
   *     hand-over inside the process uses the next one, and every later grant's token is larger
   *     than all of them. At most the number requested, or more where tokens cost a store nothing.
   *     With zero, each release goes to the store
   * @param ttl time to live, counted from when the request was sent
   * @param slots the numbers of the permits, in order, where permits are numbered ({@link
   *     dev.leasehold.lock.Guarantee#SLOTS}): the fence is then larger than all earlier ones of
   *     these slots; empty otherwise
   * @param wanted whether others wait for the lock; may be true only for a {@linkplain RecallStore
   *     recallable} token
   */
  record Granted(
      OptionalLong fence, int handOvers, Duration ttl, List<Integer> slots, boolean wanted)
      implements AcquireResult {
    /** Copies the list. */
    public Granted {
      slots = List.copyOf(slots);
    }

    /** A grant of a token that can't be recalled. */
    public Granted(OptionalLong fence, int handOvers, Duration ttl, List<Integer> slots) {
      this(fence, handOvers, ttl, slots, false);
    }

    /** A grant without slots. */
    public Granted(OptionalLong fence, int handOvers, Duration ttl) {
      this(fence, handOvers, ttl, List.of());
    }

    /** A grant with a single token, which cannot be handed over. */
    public Granted(OptionalLong fence, Duration ttl) {
      this(fence, 0, ttl);
    }
  }

  /**
   * Another token holds the lock.
   *
   * @param retryAfter time until that lease ends unless renewed; at least zero. {@link #ENDLESS} if
   *     the store does not know. Polling waiters detect by changes of this end that the lock has
   *     changed hands, and then poll more often
   * @param resolution the granularity of {@code retryAfter}: holds that begin within one step
   *     cannot be distinguished; above zero
   * @param recallable the holder's token if its lease can be {@linkplain RecallStore#recall
   *     recalled}; empty otherwise
   * @param ahead how many waiters come first, where the store knows it and they are many; otherwise
   *     zero. A waiter far behind asks less often than the first ones, which notice a lost wake-up
   * @param recalled whether the store has recalled that lease with this refusal. If not, the caller
   *     sends the {@linkplain RecallStore#recall recall}
   */
  record Held(
      Duration retryAfter,
      Duration resolution,
      Optional<String> recallable,
      int ahead,
      boolean recalled)
      implements AcquireResult {
    /** The value for a store that knows no end: the waiter asks again after one second. */
    public static final Duration ENDLESS = Duration.ofSeconds(1);

    private static final Duration MILLISECOND = Duration.ofMillis(1);

    /** Longer than any lease. */
    private static final Duration BEYOND = Duration.ofDays(366);

    /** Of a lease that can't be recalled. */
    public Held(Duration retryAfter, Duration resolution) {
      this(retryAfter, resolution, Optional.empty(), 0, false);
    }

    /** With a resolution of one millisecond. */
    public Held(Duration retryAfter) {
      this(retryAfter, MILLISECOND);
    }

    /** Of a lease with this token, which can be recalled; with a resolution of one millisecond. */
    public static Held recallable(Duration retryAfter, String token) {
      return new Held(retryAfter, MILLISECOND, Optional.of(token), 0, false);
    }

    /** The same answer to a waiter that so many come before. */
    public Held behind(int waiters) {
      return new Held(retryAfter, resolution, recallable, waiters, recalled);
    }

    /** The same answer of a store that has recalled the lease. */
    public Held asRecalled() {
      return new Held(retryAfter, resolution, recallable, ahead, true);
    }

    /** Whether {@code retryAfter} is the actual end of a lease. */
    public boolean tellsAnEnd() {
      return !retryAfter.equals(ENDLESS) && retryAfter.compareTo(BEYOND) < 0;
    }
  }
}
