package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.OptionalLong;

/** The holds over a lease, as the lease knows them. Called under the name's mutex. */
public interface LeaseHolders {
  /** The view of the store that renews the lease with others of its kind. May be called anyhow. */
  LeaseStore view();

  /** A lease's timer rang. */
  void timerRang(RemoteLease lease);

  /** Ends what is past its deadline. */
  void expireIfPast();

  /** Whether a lease is to be renewed: it is held, and not abandoned for good. */
  boolean isToBeRenewed(RemoteLease lease);

  /** Takes in the answer to an automatic renewal of a lease; whether it goes on. */
  boolean renewed(RemoteLease lease, OptionalLong deadline);
}
