package dev.leasehold.redlock;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import java.util.concurrent.CompletionStage;

/** A kind of lock: which of a node's stores is used. Thread-safe. */
@FunctionalInterface
interface NodeView {
  /** Plain locks. */
  NodeView LOCKS = node -> node.store;

  /**
   * Whether others would do as well: then a refused client tries another, not the same one again.
   */
  default boolean isOneOfSeveral() {
    return false;
  }

  /** Whether a lost vote may be decided before all nodes have answered. */
  default boolean isLostBefore(VoteCount count) {
    return true;
  }

  /** The node's store of this kind. */
  LeaseStore of(Member node);

  /**
   * Requests a node's vote.
   *
   * @param proposal negative without fencing tokens
   */
  default CompletionStage<AcquireResult> vote(Member node, AcquireRequest request, long proposal) {
    LeaseStore store = of(node);
    return store instanceof QuorumNode voter && proposal >= 0
        ? voter.vote(request, proposal)
        : store.acquire(request);
  }
}
