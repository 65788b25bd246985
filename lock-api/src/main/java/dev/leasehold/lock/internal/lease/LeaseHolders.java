package dev.leasehold.lock.internal.lease;

import java.util.OptionalLong;

/** The holds over a lease, as seen by the lease. Called under the name's mutex. */
public interface LeaseHolders {
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
