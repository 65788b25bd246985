package dev.leasehold.lock.internal.kinds;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.acquire.LockTable;
import dev.leasehold.lock.internal.calls.KnownBackends;
import dev.leasehold.lock.internal.calls.StoreContract;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.name.KindServices;
import dev.leasehold.lock.internal.name.Sharing;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Setting;
import java.util.Set;

/** A manager's semaphores, if its store has any. */
public final class Semaphores {
  private final LeaseStore store;
  private final boolean promised;
  private final LockTable table;

  /** Creates those of a manager, from the services of its locks. */
  public Semaphores(KindServices locks, Renewals renewals) {
    this.store = locks.whole();
    this.promised = locks.promises(Guarantee.PERMITS) && store instanceof PermitStore;
    LeaseStore one =
        store instanceof PermitStore permits && promised ? permits.permits(1, 1) : store;
    Set<Guarantee> kept = promised ? StoreContract.guarantees(one) : Set.of();
    this.table = new LockTable(locks.of(LockKind.SEMAPHORE, one, kept, Sharing.APART), renewals);
  }

  public LockTable table() {
    return table;
  }

  public NamedSemaphore of(String name, int permits, LockOptions options) {
    if (!promised || !(store instanceof PermitStore permitStore)) {
      throw new LockConfigurationException(
          "semaphore "
              + Quoted.name(name)
              + ": this manager does not promise PERMITS, since its store has no semaphores; "
              + KnownBackends.promising(Guarantee.PERMITS)
              + " have them. Use one of them, or a lock");
    }
    NamedSemaphore.checkNumber(permitStore, permits);
    if (!options.atLeast().isZero()) {
      throw new LockConfigurationException(
          "semaphore "
              + Quoted.name(name)
              + " with a minimum hold (atLeast) of "
              + Setting.written(options.atLeast())
              + ": permits have none. Use options without it, or a lock");
    }
    return new NamedSemaphore(table, permitStore, name, permits, options, null);
  }
}
