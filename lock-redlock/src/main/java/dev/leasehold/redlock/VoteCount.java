package dev.leasehold.redlock;

import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Combines the nodes' answers. Stateless. */
record VoteCount(QuorumPolicy policy, int nodes) {

  boolean isQuorum(NodeSet some) {
    return policy.isQuorum(some);
  }

  /** Whether the rest is no quorum once these have refused. */
  private boolean isVeto(NodeSet no) {
    return !isQuorum(NodeSet.all(nodes).butNot(no));
  }

  /** The outcome of a round of votes. */
  sealed interface Votes {
    /** A quorum granted. */
    record Won(NodeAnswers<AcquireResult> answers, NodeSet grants) implements Votes {}

    /**
     * Other clients hold too many nodes.
     *
     * @param grants the nodes that granted nevertheless: the vote may be split
     * @param held when a quorum will be free, with the coarsest node's resolution
     */
    record Lost(NodeSet grants, Held held) implements Votes {}
  }

  Optional<Votes> votes(NodeAnswers<AcquireResult> answers) {
    NodeSet grants = answers.where(a -> a instanceof Granted);
    if (isQuorum(grants)) {
      return Optional.of(new Votes.Won(answers, grants));
    }
    NodeSet held = answers.where(a -> a instanceof Held);
    // With all answers in: the nodes that answered would be a quorum if other clients held none of
    // them.
    if (isVeto(held) || (answers.isLast() && !held.isEmpty() && isQuorum(grants.and(held)))) {
      return Optional.of(new Votes.Lost(grants, held(answers, grants, held)));
    }
    return Optional.empty();
  }

  private Held held(NodeAnswers<AcquireResult> answers, NodeSet grants, NodeSet held) {
    Duration coarsest =
        held.nodes()
            .mapToObj(i -> ((Held) answers.values().get(i).orElseThrow()).resolution())
            .max(Comparator.naturalOrder())
            .orElseThrow();
    Held refusal =
        new Held(retryAfter(answers, grants, held), coarsest, recallable(answers, held), 0, false);
    return held.nodes().anyMatch(i -> hasRecalled(answers.values().get(i), refusal.recallable()))
        ? refusal.asRecalled()
        : refusal;
  }

  /**
   * Whether a node has recalled this lease: a subscriber there has received the recall. That is the
   * lease's process, unless a monitor subscribes to all channels: a recall that only a monitor
   * received is as good as lost.
   */
  private static boolean hasRecalled(Optional<AcquireResult> answer, Optional<String> token) {
    return answer.orElseThrow() instanceof Held held
        && held.recalled()
        && held.recallable().equals(token);
  }

  /**
   * The token to recall: the one that most nodes name. It need not be that of a quorum, since a
   * recall of any other is ignored.
   */
  private static Optional<String> recallable(NodeAnswers<AcquireResult> answers, NodeSet held) {
    Map<String, Integer> named = new HashMap<>();
    held.nodes()
        .mapToObj(i -> (Held) answers.values().get(i).orElseThrow())
        .flatMap(refusal -> refusal.recallable().stream())
        .forEach(token -> named.merge(token, 1, Integer::sum));
    return named.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
  }

  /** When enough leases will have ended for a quorum to be free. */
  private Duration retryAfter(NodeAnswers<AcquireResult> answers, NodeSet grants, NodeSet held) {
    List<Integer> byTime =
        held.nodes().boxed().sorted(Comparator.comparing(i -> remaining(answers, i))).toList();
    NodeSet free = grants;
    for (int i : byTime) {
      free = free.with(i);
      if (isQuorum(free)) {
        return remaining(answers, i);
      }
    }
    return byTime.isEmpty() ? Duration.ZERO : remaining(answers, byTime.get(byTime.size() - 1));
  }

  private static Duration remaining(NodeAnswers<AcquireResult> answers, int node) {
    return answers.values().get(node).orElseThrow() instanceof Held held
        ? held.retryAfter()
        : Duration.ZERO;
  }

  Optional<RenewResult> renewal(NodeAnswers<RenewResult> answers) {
    if (isQuorum(answers.where(a -> a == RenewResult.RENEWED))) {
      return Optional.of(RenewResult.RENEWED);
    }
    return isVeto(answers.where(a -> a == RenewResult.NOT_OWNER))
        ? Optional.of(RenewResult.NOT_OWNER)
        : Optional.empty();
  }

  Optional<ReleaseResult> release(NodeAnswers<ReleaseResult> answers) {
    NodeSet freed = answers.where(a -> a != ReleaseResult.NOT_OWNER);
    if (isQuorum(freed)) {
      boolean woke =
          !answers
              .where(a -> a == ReleaseResult.RELEASED_AND_WOKE || a == ReleaseResult.PASSED_ON)
              .isEmpty();
      if (isQuorum(answers.where(a -> a == ReleaseResult.PASSED_ON))) {
        return Optional.of(ReleaseResult.PASSED_ON); // to one waiter: queues have one order
      }
      boolean kept = !answers.where(a -> a == ReleaseResult.KEPT).isEmpty();
      // A node that keeps the lock for a waiter has woken it; other nodes may have woken others.
      return Optional.of(
          woke
              ? ReleaseResult.RELEASED_AND_WOKE
              : kept ? ReleaseResult.KEPT : ReleaseResult.RELEASED);
    }
    return isVeto(answers.where(a -> a == ReleaseResult.NOT_OWNER))
        ? Optional.of(ReleaseResult.NOT_OWNER)
        : Optional.empty();
  }

  /** The answers, of any kind, once a quorum has answered. */
  <T> Optional<NodeAnswers<T>> enough(NodeAnswers<T> answers) {
    return isQuorum(answers.where(a -> true)) ? Optional.of(answers) : Optional.empty();
  }
}
