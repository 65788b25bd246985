package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.RemoteLease;
import org.jspecify.annotations.Nullable;

/**
 * Who comes after a name's holds in this process: the queue of its waiters, as the holds know it.
 * Guarded by the name's mutex.
 */
public interface Successors {
  /** The waiter that a lease may pass to inside this process, if any. */
  @Nullable Claim successor(RemoteLease lease);

  /** Hands a lease over to the waiter that {@link #successor} has just named. */
  void handOver(RemoteLease lease);

  /**
   * An operation ended that may have been why the store called the name held.
   *
   * @param wokeAnother whether the store woke a waiter of another process
   */
  void givenBack(boolean wokeAnother);
}
