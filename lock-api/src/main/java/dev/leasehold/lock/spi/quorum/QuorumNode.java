package dev.leasehold.lock.spi.quorum;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store that can be a node of a quorum with fencing tokens. A node's own sequence of tokens is
 * not enough there, since two grants by different majorities share only some nodes.
 *
 * <p>A quorum of stores that are not all of this kind works too, without {@link
 * dev.leasehold.lock.Guarantee#FENCING} and {@link dev.leasehold.lock.Guarantee#FAIR}. A node that
 * promises {@code FAIR} orders waiters by {@link AcquireRequest#place}, which is the same on all
 * nodes; if that is empty, a waiter's place is the proposal minus {@link AcquireRequest#waited}.
 */
public interface QuorumNode extends LeaseStore {

  /**
   * As {@link #acquire}, with a fence that is the larger of this node's next fence and the
   * proposal. A token that holds the lock already gets the larger of its fence and the proposal.
   * The node's next fence for this name is larger than the granted one and all tokens reserved
   * after it.
   *
   * <p>A node whose fences follow a clock caps a proposal that is more than a second ahead of that
   * clock, so that a client's fast clock cannot push its fences ahead permanently.
   *
   * @param proposal 0 to {@link AcquireResult#MOST_FENCE}
   */
  CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal);

  /**
   * Raises a lock's fence and the last token of its run to these values, if the token holds the
   * lock and the run's last token is smaller.
   *
   * @param fence the holder's, 0 to {@link AcquireResult#MOST_FENCE}
   * @param handOvers how many tokens after it are reserved for the holder as well, as in {@link
   *     AcquireResult.Granted}
   * @return {@link RenewResult#RENEWED} if the last token is now at least this large; the time to
   *     live is unchanged
   */
  CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers);

  /**
   * The reading of the clock that this node's places and fences follow, in microseconds since 1970
   * (UTC). Waiters' places are the median of all nodes' clocks.
   *
   * @return empty, the default, if there is no such clock: places are then derived from the fences
   *     that a client has seen
   */
  default CompletionStage<OptionalLong> time() {
    return CompletableFuture.completedStage(OptionalLong.empty());
  }

  /**
   * As {@link #release}, but wakes no waiter. Used under {@link dev.leasehold.lock.Guarantee#FAIR}
   * after a split vote, by a waiter that will ask again: waking this node's next waiter could let
   * it overtake one that is first on other nodes. The default is a release.
   */
  default CompletionStage<ReleaseResult> withdraw(LeaseKey lease) {
    return release(lease);
  }
}
