package dev.leasehold.lock.spi.quorum;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import java.util.List;

/** A backend that makes one lock of several independent stores. */
public interface QuorumBackend extends LockBackend {

  /**
   * A quorum over given nodes, for nodes that are not made from settings. The settings may lack
   * those that say where the nodes are.
   *
   * @param nodes not yet started; the quorum starts and closes them
   */
  LeaseStore over(List<? extends LeaseStore> nodes, LockSettings settings);

  /** As {@link #open(LockSettings)}, by this policy rather than the one that is found. */
  LeaseStore open(LockSettings settings, QuorumPolicy policy);
}
