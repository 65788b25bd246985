package dev.leasehold.lock.internal;

import dev.leasehold.lock.AbandonedHolds;

/**
 * What looks after all holds of a manager.
 *
 * @param renewals keep leases alive
 * @param log is told of losses, and of holds that nobody can release
 * @param reclaimer has names forget lost holds
 * @param abandoned what becomes of holds that nobody can release
 */
record Upkeep(Renewals renewals, EngineLog log, Reclaimer reclaimer, AbandonedHolds abandoned) {}
