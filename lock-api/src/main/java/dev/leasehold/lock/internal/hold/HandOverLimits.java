package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.internal.calls.LeaseTimes;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.time.Duration;

/**
 * The rules for whether an existing lease suits another claim: it may be too short, or too long.
 */
final class HandOverLimits {
  private HandOverLimits() {}

  /** Returns whether a claim can join a lease that others hold, as it is. */
  static boolean doesFor(RemoteLease lease, Claim next, long now) {
    HandOver bound = next.options.handOver();
    return lease.spec.isAsGoodAs(next.spec)
        && lease.joined < bound.times()
        && bound.within().compareTo(Duration.ofNanos(now - lease.grantedAt)) >= 0
        && lease.endsWithin(LeaseTimes.lease(next.options))
        && suffices(lease, next, now);
  }

  /** Returns whether what is left of a lease is long enough for a waiter. */
  static boolean suffices(RemoteLease lease, Claim next, long now) {
    Duration wanted = LeaseTimes.lease(next.options);
    long needed =
        next.options.renewal() == Renewal.FIXED
            ? LeaseTimes.deadline(0, wanted)
            : wanted.toNanos() / 2;
    return lease.deadline() - now >= needed;
  }

  /**
   * Returns until when a claim with automatic renewal can join a lease that others hold, as it is.
   */
  static long doesUntil(RemoteLease lease, LockOptions next) {
    // Not Duration.dividedBy, which uses BigDecimal: this runs for every reader that is granted.
    long half = LeaseTimes.wholeMillis(next.lease()).toNanos() / 2;
    Duration suffices = Duration.ofNanos(lease.deadline() - lease.grantedAt - half);
    Duration run = next.handOver().within();
    return lease.grantedAt + (run.compareTo(suffices) < 0 ? run : suffices).toNanos();
  }

  /**
   * Returns whether a lease that was just renewed suits the next waiter. The waiter that it was
   * renewed for has what a grant would give it, unless the answer took too long; another waiter may
   * want more, or less.
   */
  static boolean doesAfterRenewal(RemoteLease lease, Claim next, Claim renewedFor, long now) {
    Duration wanted = LeaseTimes.lease(next.options);
    return lease.endsWithin(wanted)
        && (suffices(lease, next, now)
            || (next == renewedFor && lease.deadline() - now >= wanted.toNanos() / 2));
  }
}
