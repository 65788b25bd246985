package dev.leasehold.lock.spi.quorum;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import java.util.concurrent.CompletionStage;

/**
 * A store that can be a node of a quorum with fencing tokens: a node's own count of grants is not
 * enough there, since two grants by different majorities have only some nodes in common.
 *
 * <p>A quorum of stores that are not all of this kind works too, without {@link
 * dev.leasehold.lock.Guarantee#FENCING} and {@link dev.leasehold.lock.Guarantee#FAIR}. A node that
 * promises {@code FAIR} keeps it by places that the proposals tell: a waiter's is the proposal less
 * {@link AcquireRequest#waited}, the same on all nodes.
 */
public interface QuorumNode extends LeaseStore {

  /**
   * As {@link #acquire}, with a fence that is the larger of the one that this node would draw and
   * the one proposed. A token that holds the lock already gets the larger of its fence and the
   * proposal. Whatever is granted, the node's next fence of this name is larger, also than the
   * numbers after it.
   *
   * <p>A node whose fences follow a clock cuts a proposal that is more than a second ahead of it,
   * so that a client's fast clock can't lead them away for ever.
   *
   * @param proposal 0 to {@link AcquireResult#MOST_FENCE}
   */
  CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal);

  /**
   * Sets a lock's fence to this one, and the last number of its run, if that is less, provided that
   * the token holds the lock.
   *
   * @param fence the holder's, 0 to {@link AcquireResult#MOST_FENCE}
   * @param handOvers how many numbers after it are the holder's as well, as in {@link
   *     AcquireResult.Granted}
   * @return {@link RenewResult#RENEWED} if the last number is at least this now; the time to live
   *     is not touched
   */
  CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers);

  /**
   * As {@link #release}, and wakes nobody: of a vote that was split, by a waiter that comes again,
   * under {@link dev.leasehold.lock.Guarantee#FAIR}. To pass it on would be to pass a waiter by
   * that is the first on other nodes. The default is a release.
   */
  default CompletionStage<ReleaseResult> withdraw(LeaseKey lease) {
    return release(lease);
  }
}
