package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.internal.calls.EngineConfig;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.handle.HoldCalls;
import dev.leasehold.lock.internal.hold.HoldServices;
import dev.leasehold.lock.internal.hold.Sharing;
import dev.leasehold.lock.internal.name.MonitorServices;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.Set;

/**
 * Makes the table of names of each kind of lock. The kinds of a manager differ only in their view
 * of the store, and in how holds of one name coexist in this process.
 *
 * @param whole the manager's store, of which kinds have views
 */
public record LockTableFactory(
    LeaseStore whole,
    Timing time,
    EngineConfig config,
    Events events,
    Lifecycle lifecycle,
    HoldServices holds) {

  /**
   * Creates an empty table for a kind.
   *
   * @param store calls to the kind's view of the store
   * @param guarantees what the kind guarantees
   */
  public LockTable of(StoreOperations store, Set<Guarantee> guarantees, Sharing sharing) {
    return new LockTable(
        guarantees,
        sharing,
        idle ->
            new NameServices(
                new MonitorServices(store.kind(), time, events, lifecycle),
                holds.of(sharing, store.store()),
                new HoldCalls.Services(whole, store.calls().callers(), events),
                store,
                config.storeTimeout(),
                guarantees.contains(Guarantee.FAIR),
                guarantees.contains(Guarantee.WAKE_UP),
                idle),
        config.recordsAcquisitions());
  }
}
