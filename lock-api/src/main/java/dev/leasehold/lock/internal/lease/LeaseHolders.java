package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.OptionalLong;

/** The holds over a lease, as seen by the lease. Called under the name's mutex. */
public interface LeaseHolders {
  /**
   * Returns the view of the store that renews the lease together with others of its kind. May be
   * called with or without the mutex.
   */
  LeaseStore view();

  /** Handles the expiry of a lease's timer. */
  void timerRang(RemoteLease lease);

  /** Handles a recall: another manager wants the lease. */
  void recalled(RemoteLease lease);

  /** Ends the holds whose deadline has passed. */
  void expireIfPast();

  /** Returns whether a lease is to be renewed: it is held, and not abandoned for good. */
  boolean isToBeRenewed(RemoteLease lease);

  /**
   * Processes the answer to an automatic renewal of a lease. Returns whether the lease continues.
   */
  boolean renewed(RemoteLease lease, OptionalLong deadline);
}
