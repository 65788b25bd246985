package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.time.Duration;

/** How an acquisition is served by what this process holds already. */
public sealed interface Reentry {
  /** Its owner has a hold that was lost, and has to release that first. */
  record Refused(LeaseLoss loss) implements Reentry {}

  /** Its owner has the lock, once more now. */
  record Entered(HoldEntry entry) implements Reentry {}

  /** The same, but the lease has to grow to what was asked for. */
  record Grows(HoldEntry entry, Duration wanted) implements Reentry {}

  /** It may stand on a lease that others of this process hold. */
  record Joins(RemoteLease lease) implements Reentry {}
}
