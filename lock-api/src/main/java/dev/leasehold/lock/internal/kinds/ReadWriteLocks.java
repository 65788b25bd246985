package dev.leasehold.lock.internal.kinds;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.acquire.Asking;
import dev.leasehold.lock.internal.acquire.Cells;
import dev.leasehold.lock.internal.acquire.LockTables;
import dev.leasehold.lock.internal.calls.KnownBackends;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.calls.Terms;
import dev.leasehold.lock.internal.hold.Sharing;
import dev.leasehold.lock.internal.lease.Share;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.SharedLeaseStore;
import java.util.List;
import java.util.Set;

/**
 * A manager's read/write locks, if its store has any: a kind for each side, and what an owner of
 * the one may ask of the other.
 */
public final class ReadWriteLocks {
  private final LeaseStore store;
  private final boolean promised;
  private final Cells reads;
  private final Cells writes;

  public ReadWriteLocks(Terms terms, StoreOperations operations, LockTables tables) {
    this.store = operations.store();
    this.promised = terms.promises(Guarantee.SHARED) && store instanceof SharedLeaseStore;
    LeaseStore read = store instanceof SharedLeaseStore s && promised ? s.reads() : store;
    LeaseStore write = store instanceof SharedLeaseStore s && promised ? s.writes() : store;
    Set<Guarantee> readsKeep = promised ? read.guarantees() : Set.of();
    Set<Guarantee> writesKeep = promised ? write.guarantees() : Set.of();
    this.reads = tables.of(operations.of(LockKind.READ_LOCK, read), readsKeep, Sharing.TOGETHER);
    this.writes = tables.of(operations.of(LockKind.WRITE_LOCK, write), writesKeep, Sharing.ONE);
  }

  public List<Cells> cells() {
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
    Share read = Share.whole(reads.store());
    Share write = Share.whole(writes.store());
    return new NamedReadWriteLock(
        new Asking(reads, name, options, owner -> readShare(name, owner, read), null),
        new Asking(writes, name, options, owner -> writeShare(name, owner, write), null));
  }

  /** Who writes reads beside itself. */
  private Share readShare(String name, Object owner, Share shared) {
    return writes.standBeside(name, owner).map(this::beside).orElse(shared);
  }

  private Share beside(LeaseKey key) {
    return Share.beside(reads.store().over(((SharedLeaseStore) store).readsBeside(key)));
  }

  /** Who reads and does not write would wait for itself. */
  private Share writeShare(String name, Object owner, Share whole) {
    if (reads.areHeldBy(name, owner) && !writes.areHeldBy(name, owner)) {
      throw new IllegalMonitorStateException(
          "the owner of the read side of "
              + Quoted.name(name)
              + " asks for its write side, and would wait for itself: release the read side first,"
              + " or take the write side before it");
    }
    return whole;
  }
}
