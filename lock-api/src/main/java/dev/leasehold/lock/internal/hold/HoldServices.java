package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.lease.Renewals;

/**
 * What the holds of all names of one kind share.
 *
 * @param sharing how holds of one name coexist in this process
 * @param renewals keeps leases alive
 * @param log receives losses, and holds that can no longer be released
 */
public record HoldServices(Sharing sharing, Renewals renewals, EngineLog log) {
  /** Returns the same services for another kind. */
  public HoldServices of(Sharing how) {
    return new HoldServices(how, renewals, log);
  }
}
