package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.internal.calls.EngineConfig;
import dev.leasehold.lock.internal.calls.StoreHealth;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Outbox;
import dev.leasehold.lock.internal.threads.Reclaimer;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.Set;

/**
 * What all names of one kind of lock share, so that a name costs no memory for it. The kinds of a
 * manager differ in their view of the store, in what that guarantees, and in how holds of one name
 * coexist in this process.
 *
 * @param operations calls to the kind's view of the store
 * @param whole the manager's store, of which kinds have views
 * @param guarantees what the kind guarantees
 * @param sharing how holds of one name coexist in this process
 * @param log receives losses, and holds that can no longer be released
 * @param outbox runs queued actions, which count as in flight
 * @param reclaimer makes names forget lost holds
 * @param healthy the health of the store for a name that has had no trouble with it
 */
public record KindServices(
    StoreOperations operations,
    LeaseStore whole,
    Set<Guarantee> guarantees,
    Sharing sharing,
    EngineConfig config,
    Timing time,
    Events events,
    EngineLog log,
    Lifecycle lifecycle,
    Outbox outbox,
    Reclaimer reclaimer,
    StoreHealth healthy) {
  /** Returns the services of another kind of the same manager. */
  public KindServices of(LockKind kind, LeaseStore view, Set<Guarantee> guaranteed, Sharing how) {
    return new KindServices(
        operations.of(kind, view),
        whole,
        guaranteed,
        how,
        config,
        time,
        events,
        log,
        lifecycle,
        outbox,
        reclaimer,
        healthy);
  }

  public LockKind kind() {
    return operations.kind();
  }

  public boolean promises(Guarantee guarantee) {
    return guarantees.contains(guarantee);
  }

  public void checkOpen() {
    if (lifecycle.isClosing()) {
      throw Lifecycle.closedFailure();
    }
  }
}
