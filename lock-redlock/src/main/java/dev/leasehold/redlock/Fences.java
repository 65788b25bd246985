package dev.leasehold.redlock;

import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The fencing numbers that one token was given by each node, and how far they were used. A release
 * returns to each node the numbers that it may assign again: those above the last number used and
 * above its own vote, since a late vote may be above the numbers of a later holder. Thread-safe.
 */
final class Fences {
  /** One node's vote, and the last number that it has kept for this token. */
  private record Kept(long vote, long last) {}

  private final AtomicReferenceArray<Optional<Kept>> kept;

  /** Until the lock is won no number is used; then all are, unless the holder reports fewer. */
  private volatile long used;

  private final NodeView view;

  Fences(int nodes, NodeView view) {
    this.view = view;
    kept = new AtomicReferenceArray<>(nodes);
    for (int i = 0; i < nodes; i++) {
      kept.set(i, Optional.empty());
    }
  }

  /** The last number of a vote. */
  static long last(Granted vote) {
    return vote.fence().orElse(0) + vote.handOvers();
  }

  /** Records a node's vote. */
  void voted(Member node, Granted vote) {
    kept.set(node.index, Optional.of(new Kept(vote.fence().orElse(0), last(vote))));
  }

  /** Asks a node to keep the numbers of a run. */
  CompletionStage<RenewResult> raise(Member node, LeaseKey key, GrantedNumbers run) {
    return ((QuorumNode) view.of(node))
        .raise(key, run.fence(), run.handOvers())
        .thenApply(
            answer -> {
              if (answer == RenewResult.RENEWED) {
                raised(node, run.last());
              }
              return answer;
            });
  }

  /** Records that a node has kept at least this number. */
  private void raised(Member node, long last) {
    kept.updateAndGet(
        node.index, known -> known.map(k -> new Kept(k.vote, Math.max(k.last, last))));
  }

  /** Sets the last number that was used, or may have been. */
  void used(long number) {
    used = number;
  }

  /** Frees a node. */
  CompletionStage<ReleaseResult> release(Member node, LeaseKey key) {
    Optional<FenceRun> run =
        kept.get(node.index)
            .map(known -> new FenceRun(Math.max(known.vote, used), known.last))
            .filter(left -> left.used() < left.last());
    LeaseStore store = view.of(node);
    return run.isPresent() ? store.release(key, run.get()) : store.release(key);
  }

  /** Frees a node of a fair quorum without waking the next waiter, and gives no numbers back. */
  CompletionStage<ReleaseResult> withdraw(Member node, LeaseKey key) {
    return ((QuorumNode) view.of(node)).withdraw(key);
  }
}
