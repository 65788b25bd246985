package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.internal.calls.Drift;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.time.Duration;

/** Whether a lease that is there does for whoever comes next: it may be too short, or too long. */
final class HandOverRules {
  private HandOverRules() {}

  /** Whether a lease that others have does for one more as it is. */
  static boolean doesFor(RemoteLease lease, Claim next, long now) {
    return lease.mayBeJoinedBy(next)
        && lease.endsWithin(Drift.wholeMillis(next.options.lease()))
        && suffices(lease, next, now);
  }

  /** Whether a lease has left what a waiter may count on. */
  static boolean suffices(RemoteLease lease, Claim next, long now) {
    Duration wanted = Drift.wholeMillis(next.options.lease());
    long needed =
        next.options.renewal() == Renewal.FIXED ? Drift.deadline(0, wanted) : wanted.toNanos() / 2;
    return lease.deadline() - now >= needed;
  }

  /** Until when a lease that others have does for one that is renewed, as it is. */
  static long doesUntil(RemoteLease lease, LockOptions next) {
    // Not Duration.dividedBy, which goes by BigDecimal: each reader that is granted comes here.
    long half = Drift.wholeMillis(next.lease()).toNanos() / 2;
    Duration suffices = Duration.ofNanos(lease.deadline() - lease.grantedAt - half);
    Duration run = next.handOver().within();
    return lease.grantedAt + (run.compareTo(suffices) < 0 ? run : suffices).toNanos();
  }

  /**
   * Whether a lease that was just renewed does for the next waiter. The one that it was renewed for
   * has what a grant would give it, unless the answer took too long; another one may want more, or
   * less.
   */
  static boolean doesAfterRenewal(RemoteLease lease, Claim next, Claim renewedFor, long now) {
    Duration wanted = Drift.wholeMillis(next.options.lease());
    return lease.endsWithin(wanted)
        && (suffices(lease, next, now)
            || (next == renewedFor && lease.deadline() - now >= wanted.toNanos() / 2));
  }
}
