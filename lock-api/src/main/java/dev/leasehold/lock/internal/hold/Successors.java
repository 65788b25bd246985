package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.RemoteLease;
import org.jspecify.annotations.Nullable;

/**
 * The successors of a name's holds in this process: the queue of its waiters, as seen by the holds.
 * Guarded by the name's mutex.
 */
public interface Successors {
  /** Returns the waiter that a lease may pass to inside this process; null if there is none. */
  @Nullable Claim successor(RemoteLease lease);

  /** Returns whether there are waiters in this process, or requests of theirs to clean up. */
  boolean areAny();

  /** Hands a lease over to the waiter that {@link #successor} has just returned. */
  void handOver(RemoteLease lease);

  /**
   * Records the end of an operation that may have been why the store reported the name as held.
   *
   * @param wokeAnother whether the store woke a waiter of another process
   */
  void givenBack(boolean wokeAnother);
}
