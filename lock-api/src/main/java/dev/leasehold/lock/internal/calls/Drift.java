package dev.leasehold.lock.internal.calls;

import java.time.Duration;

/**
 * The allowance for clocks that run at different rates: a hundredth of the lease and 2 ms, as the
 * Redlock algorithm proposes.
 */
public final class Drift {
  private static final long FIXED_NANOS = Duration.ofMillis(2).toNanos();
  private static final int PART = 100;

  private Drift() {}

  /** Returns when a lease that was requested at {@code sent} ends for its holder. */
  public static long deadline(long sent, Duration ttl) {
    long nanos = ttl.toNanos();
    return sent + nanos - nanos / PART - FIXED_NANOS;
  }

  /** Returns the time to live to ask for, so that {@code wanted} is left after the allowance. */
  public static Duration ttlFor(Duration wanted) {
    long nanos = wanted.toNanos() + FIXED_NANOS;
    return wholeMillis(Duration.ofNanos(nanos + nanos / (PART - 1) + 1));
  }

  /** Rounds up to milliseconds, in which stores count. */
  public static Duration wholeMillis(Duration d) {
    long millis = d.toMillis();
    return Duration.ofMillis(d.minusMillis(millis).isZero() ? millis : millis + 1);
  }
}
