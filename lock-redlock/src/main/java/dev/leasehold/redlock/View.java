package dev.leasehold.redlock;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import java.util.concurrent.CompletionStage;

/** Which kind of lock on the nodes is meant: each node has a view of it. Thread-safe. */
@FunctionalInterface
interface View {
  /** Plain locks. */
  View LOCKS = node -> node.store;

  /** Whether others would do as well: then who is refused tries another, and not this again. */
  default boolean isOneOfSeveral() {
    return false;
  }

  /** Whether a lost vote is decided before all nodes have answered. */
  default boolean isLostBefore(VoteCount count) {
    return true;
  }

  /** A node's. */
  LeaseStore of(Member node);

  /**
   * Asks a node for the lock.
   *
   * @param proposal negative if there are no fencing tokens
   */
  default CompletionStage<AcquireResult> vote(Member node, AcquireRequest request, long proposal) {
    LeaseStore store = of(node);
    return store instanceof QuorumNode voter && proposal >= 0
        ? voter.vote(request, proposal)
        : store.acquire(request);
  }
}
