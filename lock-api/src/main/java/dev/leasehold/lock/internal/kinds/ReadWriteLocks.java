package dev.leasehold.lock.internal.kinds;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.acquire.LockTable;
import dev.leasehold.lock.internal.calls.KnownBackends;
import dev.leasehold.lock.internal.calls.StoreContract;
import dev.leasehold.lock.internal.lease.AcquireSpec;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.name.KindServices;
import dev.leasehold.lock.internal.name.Sharing;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.Setting;
import java.util.List;
import java.util.Set;

/**
 * A manager's read/write locks, if its store has any: a kind for each side, and the rules for an
 * owner of one side that acquires the other.
 */
public final class ReadWriteLocks {
  private final LeaseStore store;
  private final boolean promised;
  private final LockTable reads;
  private final LockTable writes;

  /** Creates those of a manager, from the services of its locks. */
  public ReadWriteLocks(KindServices locks, Renewals renewals) {
    this.store = locks.whole();
    this.promised = locks.promises(Guarantee.SHARED) && store instanceof ReadWriteStore;
    LeaseStore read = store instanceof ReadWriteStore s && promised ? s.reads() : store;
    LeaseStore write = store instanceof ReadWriteStore s && promised ? s.writes() : store;
    Set<Guarantee> readsKeep = promised ? StoreContract.guarantees(read) : Set.of();
    Set<Guarantee> writesKeep = promised ? StoreContract.guarantees(write) : Set.of();
    this.reads =
        new LockTable(locks.of(LockKind.READ_LOCK, read, readsKeep, Sharing.TOGETHER), renewals);
    this.writes =
        new LockTable(locks.of(LockKind.WRITE_LOCK, write, writesKeep, Sharing.ONE), renewals);
  }

  public List<LockTable> table() {
    return List.of(reads, writes);
  }

  public NamedReadWriteLock of(String name, LockOptions options) {
    if (!promised) {
      throw new LockConfigurationException(
          "read/write lock "
              + Quoted.name(name)
              + ": this manager does not promise SHARED, since its store has no read/write locks; "
              + KnownBackends.promising(Guarantee.SHARED)
              + " have them. Use one of them, or a lock");
    }
    if (!options.atLeast().isZero()) {
      throw new LockConfigurationException(
          "read/write lock "
              + Quoted.name(name)
              + " with a minimum hold (atLeast) of "
              + Setting.written(options.atLeast())
              + ": its sides have none. Use options without it, or a lock");
    }
    return new NamedReadWriteLock(
        new NamedLock(reads, name, options, owner -> readShare(name, owner), null),
        new NamedLock(writes, name, options, owner -> writeShare(name, owner), null));
  }

  /** Returns the request of a reader; a writer may also read. */
  private AcquireSpec readShare(String name, Object owner) {
    return writes.standBeside(name, owner).map(this::beside).orElse(reads.whole());
  }

  private AcquireSpec beside(LeaseKey key) {
    return AcquireSpec.beside(reads.store().over(((ReadWriteStore) store).readsBeside(key)));
  }

  /** Returns the request of a writer; refuses a reader, which would wait for itself. */
  private AcquireSpec writeShare(String name, Object owner) {
    if (reads.areHeldBy(name, owner) && !writes.areHeldBy(name, owner)) {
      throw new IllegalMonitorStateException(
          "read lock "
              + Quoted.name(name)
              + " cannot be upgraded to the write lock (it would deadlock with itself): release the"
              + " read side first, or take the write side first");
    }
    return writes.whole();
  }
}
