package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.threads.Reclaimer;
import dev.leasehold.lock.spi.LeaseStore;

/**
 * The services that all holds of a kind share.
 *
 * @param sharing how holds of one name coexist in this process
 * @param view the view of the store that renews the leases of all names of the kind
 * @param renewals keeps leases alive
 * @param log receives losses, and holds that can no longer be released
 * @param reclaimer makes names forget lost holds
 * @param abandoned what happens to holds that can no longer be released
 */
public record HoldServices(
    Sharing sharing,
    LeaseStore view,
    Renewals renewals,
    EngineLog log,
    Reclaimer reclaimer,
    AbandonedHolds abandoned) {

  /** Returns the same services for another kind. */
  public HoldServices of(Sharing how, LeaseStore store) {
    return new HoldServices(how, store, renewals, log, reclaimer, abandoned);
  }
}
