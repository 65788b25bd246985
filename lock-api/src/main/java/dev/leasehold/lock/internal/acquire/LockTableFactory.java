package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.internal.calls.EngineConfig;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.hold.HoldServices;
import dev.leasehold.lock.internal.hold.Sharing;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.Set;

/**
 * Makes the table of names of each kind of lock. All kinds of a manager are alike but for their
 * view of the store, and how their holds stand beside one another.
 *
 * @param whole the manager's store, of which kinds have views
 */
public record LockTableFactory(
    LeaseStore whole,
    Timing time,
    EngineConfig config,
    Events events,
    Lifecycle lifecycle,
    HoldServices services) {

  /**
   * The table of a kind, empty.
   *
   * @param store a view of the kind, which tells what it is, to listen through
   * @param guarantees what the kind keeps
   */
  public LockTable of(StoreOperations store, Set<Guarantee> guarantees, Sharing sharing) {
    boolean fair = guarantees.contains(Guarantee.FAIR);
    boolean wakes = guarantees.contains(Guarantee.WAKE_UP);
    return new LockTable(
        store,
        guarantees,
        sharing,
        time,
        events,
        lifecycle,
        config.recordsAcquisitions(),
        (name, idle) ->
            new LockEntry(
                name,
                this.whole,
                store,
                sharing,
                fair,
                wakes,
                time,
                config,
                events,
                lifecycle,
                services,
                idle));
  }
}
