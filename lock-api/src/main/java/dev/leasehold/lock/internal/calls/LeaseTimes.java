package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Renewal;
import java.time.Duration;

/**
 * The arithmetic of leases. Clocks may run at different rates: the allowance for that is a
 * hundredth of the lease and 2 ms, as the Redlock algorithm proposes.
 *
 * <p>Minimum holds are computed when a lease begins and when it ends; in between there is no timer,
 * and nothing is renewed. The store is asked for a time to live that outlasts the minimum, in case
 * the holder dies. The rest at a release is counted from the grant's reply, since the request may
 * have taken long to reach the store; and the drift is that of the whole minimum, since either
 * clock may have been fast all the time. Stateless.
 */
public final class LeaseTimes {
  private static final long FIXED_NANOS = Duration.ofMillis(2).toNanos();
  private static final int PART = 100;

  private LeaseTimes() {}

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

  /** Returns the lease of these options, as stores count it. */
  public static Duration lease(LockOptions options) {
    return wholeMillis(options.lease());
  }

  // ---- minimum holds ----

  /** Returns the time to live to ask for: the lease, or the minimum hold if that is longer. */
  public static Duration ttl(LockOptions options) {
    Duration lease = lease(options);
    Duration minimum = onStore(options.atLeast());
    return minimum.compareTo(lease) > 0 ? minimum : lease;
  }

  /**
   * Returns when a hold ends for its holder: a fixed lease ends at its own time, even if the store
   * keeps the lock for longer.
   *
   * @param granted the deadline of the time to live that was asked for
   */
  public static long deadline(LockOptions options, long granted) {
    return options.renewal() == Renewal.AUTOMATIC
        ? granted
        : granted - (deadline(0, ttl(options)) - deadline(0, lease(options)));
  }

  /** Returns the rest of a minimum hold for the store to keep; zero if there is none. */
  public static Duration rest(Duration atLeast, Duration sinceGrant) {
    Duration rest = onStore(atLeast).minus(sinceGrant);
    return rest.isNegative() ? Duration.ZERO : wholeMillis(rest);
  }

  private static Duration onStore(Duration atLeast) {
    return atLeast.isZero() ? atLeast : ttlFor(atLeast);
  }
}
