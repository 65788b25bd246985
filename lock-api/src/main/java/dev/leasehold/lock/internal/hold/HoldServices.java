package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.threads.Reclaimer;

/**
 * The services that all holds of a manager share.
 *
 * @param renewals keeps leases alive
 * @param log receives losses, and holds that can no longer be released
 * @param reclaimer makes names forget lost holds
 * @param abandoned what happens to holds that can no longer be released
 */
public record HoldServices(
    Renewals renewals, EngineLog log, Reclaimer reclaimer, AbandonedHolds abandoned) {}
