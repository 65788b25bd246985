package dev.leasehold.lock.internal.calls;

import java.time.Duration;

/** Pauses that double, up to a maximum. Not thread-safe. */
public final class Backoff {
  private static final Duration FIRST_RETRY = Duration.ofMillis(50);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);

  private Duration last = Duration.ZERO;

  /** Returns the pause after a failure of the store. */
  public Duration afterFailure() {
    return next(FIRST_RETRY, LONGEST_RETRY);
  }

  /** Returns the last pause doubled, but at least the first and at most the longest. */
  public Duration next(Duration first, Duration longest) {
    Duration twice = last.multipliedBy(2);
    Duration grown = twice.compareTo(first) < 0 ? first : twice;
    last = grown.compareTo(longest) < 0 ? grown : longest;
    return last;
  }

  /** Returns the last pause; zero if there was none, or it restarted since. */
  Duration last() {
    return last;
  }

  /** Restarts with the first pause. */
  public void reset() {
    last = Duration.ZERO;
  }
}
