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
 * <p>A node that lost its locks in a restart must not vote until they would have ended. Stores
 * opened by {@link dev.leasehold.lock.spi.quorum.NodeBackend#openNode} ensure this themselves;
 * other stores you must keep down for that long.
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
   * Over independent nodes. Nodes with a common server or disk are one vote.
   *
   * @param nodes not yet started; 3 to 63. An even number works, but tolerates no more failures
   *     than one node less
   */
  public static RedlockLocks over(List<? extends LeaseStore> nodes) {
    return new RedlockLocks(List.copyOf(nodes));
  }

  /** Sets how many nodes make a quorum, and how long they have to answer. Default: the majority. */
  public RedlockLocks policy(QuorumPolicy policy) {
    this.policy = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /**
   * Makes the store. Sends nothing: the manager built on it starts and closes the nodes.
   *
   * @throws LockConfigurationException if there are too few or too many nodes, or one is there
   *     twice
   */
  public LeaseStore open() {
    return new QuorumLeaseStore(nodes, policy, LockOptions.LONGEST_LEASE);
  }

  /**
   * A manager over {@link #open()} with default settings. For others pass the store to {@link
   * LockManager#over}. Blocks until enough nodes have answered.
   *
   * @throws LockConfigurationException as {@link #open()}
   * @throws LockStoreException if no quorum can be reached
   */
  public LockManager manager() {
    return LockManager.over(open()).build();
  }
}
