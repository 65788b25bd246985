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
import java.util.List;
import java.util.Optional;

/** What the nodes' answers mean together. Stateless. */
record VoteCount(QuorumPolicy policy, int nodes) {

  boolean isQuorum(NodeSet some) {
    return policy.isQuorum(some);
  }

  /** Whether no quorum is left once these have said no. */
  private boolean isVeto(NodeSet no) {
    return !isQuorum(NodeSet.all(nodes).butNot(no));
  }

  /** How a round of votes ended. */
  sealed interface Votes {
    /** A quorum granted, with these answers. */
    record Won(Answers<AcquireResult> answers, NodeSet grants) implements Votes {}

    /**
     * Others have too many nodes.
     *
     * @param grants the nodes that granted all the same: a split vote, perhaps
     * @param held when a quorum will be free, as coarsely told as by the coarsest node
     */
    record Lost(NodeSet grants, Held held) implements Votes {}
  }

  Optional<Votes> votes(Answers<AcquireResult> answers) {
    NodeSet grants = answers.where(a -> a instanceof Granted);
    if (isQuorum(grants)) {
      return Optional.of(new Votes.Won(answers, grants));
    }
    NodeSet held = answers.where(a -> a instanceof Held);
    // With the last answers in: nodes that are there would be a quorum, if it were not for others.
    if (isVeto(held) || (answers.isLast() && !held.isEmpty() && isQuorum(grants.and(held)))) {
      return Optional.of(new Votes.Lost(grants, held(answers, grants, held)));
    }
    return Optional.empty();
  }

  private Held held(Answers<AcquireResult> answers, NodeSet grants, NodeSet held) {
    Duration coarsest =
        held.nodes()
            .mapToObj(i -> ((Held) answers.values().get(i).orElseThrow()).resolution())
            .max(Comparator.naturalOrder())
            .orElseThrow();
    return new Held(retryAfter(answers, grants, held), coarsest);
  }

  /** When so many leases have ended that a quorum is free. */
  private Duration retryAfter(Answers<AcquireResult> answers, NodeSet grants, NodeSet held) {
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

  private static Duration remaining(Answers<AcquireResult> answers, int node) {
    return answers.values().get(node).orElseThrow() instanceof Held held
        ? held.retryAfter()
        : Duration.ZERO;
  }

  Optional<RenewResult> renewal(Answers<RenewResult> answers) {
    if (isQuorum(answers.where(a -> a == RenewResult.RENEWED))) {
      return Optional.of(RenewResult.RENEWED);
    }
    return isVeto(answers.where(a -> a == RenewResult.NOT_OWNER))
        ? Optional.of(RenewResult.NOT_OWNER)
        : Optional.empty();
  }

  Optional<ReleaseResult> release(Answers<ReleaseResult> answers) {
    NodeSet freed = answers.where(a -> a != ReleaseResult.NOT_OWNER);
    if (isQuorum(freed)) {
      boolean woke =
          !answers
              .where(a -> a == ReleaseResult.RELEASED_AND_WOKE || a == ReleaseResult.PASSED_ON)
              .isEmpty();
      if (isQuorum(answers.where(a -> a == ReleaseResult.PASSED_ON))) {
        return Optional.of(ReleaseResult.PASSED_ON); // to the same one: lines are in one order
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

  /** Enough answers of any kind. */
  <T> Optional<Answers<T>> enough(Answers<T> answers) {
    return isQuorum(answers.where(a -> true)) ? Optional.of(answers) : Optional.empty();
  }
}
