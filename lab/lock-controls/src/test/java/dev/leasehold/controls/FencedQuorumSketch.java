package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A {@link QuorumSketch} whose token is the largest vote, once a majority has stored it. */
class FencedQuorumSketch extends QuorumSketch {
  FencedQuorumSketch(List<? extends LeaseStore> nodes, Guarantee... more) {
    super(nodes, OwnedStore.with(more, Guarantee.FENCING));
  }

  /** Whether the largest vote is written back to the nodes that granted. */
  boolean writesBack() {
    return true;
  }

  @Override
  final CompletionStage<OptionalLong> fence(
      LeaseKey key, Duration lease, AnswerRound<AcquireResult> votes) {
    if (!votes.isWon()) {
      return CompletableFuture.completedFuture(OptionalLong.empty());
    }
    long largest =
        votes.yes().stream()
            .mapToLong(vote -> ((Granted) vote).fence().orElseThrow())
            .max()
            .orElseThrow();
    CompletionStage<?> kept =
        writesBack()
            ? ask(
                lease,
                node -> ((QuorumNode) node).raise(key, largest, 0),
                answer -> answer == RenewResult.RENEWED)
            : CompletableFuture.completedFuture(largest);
    return kept.thenApply(done -> OptionalLong.of(largest));
  }
}
