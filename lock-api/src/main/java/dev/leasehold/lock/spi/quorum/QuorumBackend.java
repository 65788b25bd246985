package dev.leasehold.lock.spi.quorum;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import java.util.List;

/** A backend that combines several independent stores into one lock. */
public interface QuorumBackend extends LockBackend {

  /**
   * Creates a quorum over the given nodes, for nodes that are not created from settings. The
   * settings need not contain the nodes' addresses.
   *
   * @param nodes not yet started; the quorum starts and closes them
   */
  LeaseStore over(List<? extends LeaseStore> nodes, LockSettings settings);

  /** As {@link #open(LockSettings)}, with this policy instead of the one found. */
  LeaseStore open(LockSettings settings, QuorumPolicy policy);
}
