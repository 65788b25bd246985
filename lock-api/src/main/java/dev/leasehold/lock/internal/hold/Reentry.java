package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.time.Duration;

/** How existing holds of this process serve an acquisition. */
public sealed interface Reentry {
  /** The owner has a lost hold, which it must release first. */
  record Refused(LeaseLoss loss) implements Reentry {}

  /** The owner holds the lock, and now has one more entry. */
  record Entered(HoldEntry entry) implements Reentry {}

  /** The owner holds the lock, but the lease must be extended to what was requested. */
  record Grows(HoldEntry entry, Duration wanted) implements Reentry {}

  /**
   * The acquisition may share a lease that others of this process hold, or gets one that this
   * process has kept.
   */
  record Joins(RemoteLease lease) implements Reentry {}
}
