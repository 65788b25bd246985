package dev.leasehold.redlock;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.util.List;
import java.util.Objects;

/**
 * Makes one lock of several independent stores, of any kind:
 * <!-- given: LeaseStore a, LeaseStore b, LeaseStore c -->
 *
 * <pre>{@code
 * LockManager locks = RedlockLocks.over(List.of(a, b, c)).manager();
 * }</pre>
 *
 * <p>A node that may vote as soon as it was started again, with locks forgotten, must be kept away
 * until they would have ended. Stores of {@link dev.leasehold.lock.spi.quorum.NodeBackend#openNode}
 * do that by themselves, others leave it to you.
 *
 * <p>Not thread-safe; the stores are.
 */
public final class RedlockLocks {
  private final List<LeaseStore> nodes;
  private QuorumPolicy policy = QuorumPolicy.majority();

  private RedlockLocks(List<LeaseStore> nodes) {
    this.nodes = nodes;
  }

  /**
   * Over some nodes, which must share nothing: what they share is one vote.
   *
   * @param nodes not yet started; 3 to 63. An even number works, but bears no more failures than
   *     one node less
   */
  public static RedlockLocks over(List<? extends LeaseStore> nodes) {
    return new RedlockLocks(List.copyOf(nodes));
  }

  /** How many nodes are enough, and how long they have. Default: the majority. */
  public RedlockLocks policy(QuorumPolicy policy) {
    this.policy = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /**
   * Makes the store. Sends nothing: whoever builds a manager on it starts the nodes, and closes
   * them.
   *
   * @throws LockConfigurationException if the nodes are too few or too many, or one is there twice
   */
  public LeaseStore open() {
    return new QuorumLeaseStore(nodes, policy, LockOptions.LONGEST_LEASE);
  }

  /**
   * A manager over {@link #open()}, with the defaults of everything. For others give the store to
   * {@link LockManager#over}. Blocks until enough nodes have answered.
   *
   * @throws LockConfigurationException as {@link #open()}
   * @throws LockStoreException if no quorum can be reached
   */
  public LockManager manager() {
    return LockManager.over(open()).build();
  }
}
