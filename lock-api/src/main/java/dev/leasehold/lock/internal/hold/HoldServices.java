package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.threads.Reclaimer;

/**
 * What looks after all holds of a manager.
 *
 * @param renewals keep leases alive
 * @param log is told of losses, and of holds that nobody can release
 * @param reclaimer has names forget lost holds
 * @param abandoned what becomes of holds that nobody can release
 */
public record HoldServices(
    Renewals renewals, EngineLog log, Reclaimer reclaimer, AbandonedHolds abandoned) {}
