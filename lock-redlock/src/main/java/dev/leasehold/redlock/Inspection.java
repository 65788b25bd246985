package dev.leasehold.redlock;

import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.quorum.NodeSet;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/** Finds the holder of a lock: the token that a quorum has, until too few nodes have it. */
final class Inspection {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private Inspection() {}

  static CompletionStage<Optional<StoredLease>> inspect(Quorum quorum, String name) {
    return quorum.<Optional<StoredLease>, Optional<StoredLease>>ask(
        LEASE,
        answers -> holder(quorum.voteCount(), answers),
        node -> node.send(quorum.context(), () -> quorum.view().of(node).inspect(name)));
  }

  /** The holder. Empty while it is unknown; an empty holder if no token has a quorum. */
  private static Optional<Optional<StoredLease>> holder(
      VoteCount voteCount, NodeAnswers<Optional<StoredLease>> answers) {
    Set<String> tokens = new HashSet<>();
    answers.values().forEach(value -> value.flatMap(l -> l).ifPresent(l -> tokens.add(l.token())));
    for (String token : tokens) {
      NodeSet has = answers.where(l -> l.filter(lease -> lease.token().equals(token)).isPresent());
      if (voteCount.isQuorum(has)) {
        return Optional.of(Optional.of(whole(voteCount, answers, token)));
      }
    }
    boolean all = answers.isLast() && voteCount.isQuorum(answers.where(l -> true));
    boolean free = voteCount.isQuorum(answers.where(Optional::isEmpty));
    return all || free ? Optional.of(Optional.empty()) : Optional.empty();
  }

  private static StoredLease whole(
      VoteCount voteCount, NodeAnswers<Optional<StoredLease>> answers, String token) {
    List<Integer> longestFirst =
        IntStream.range(0, answers.values().size())
            .boxed()
            .filter(i -> lease(answers, i).filter(l -> l.token().equals(token)).isPresent())
            .sorted(
                Comparator.comparing((Integer i) -> lease(answers, i).orElseThrow().remaining())
                    .reversed())
            .toList();
    NodeSet has = NodeSet.none(answers.values().size());
    for (int i : longestFirst) {
      has = has.with(i);
      if (voteCount.isQuorum(has)) {
        Duration remaining = lease(answers, i).orElseThrow().remaining();
        return new StoredLease(token, remaining, fence(voteCount, answers, longestFirst));
      }
    }
    throw new IllegalStateException("no quorum has it");
  }

  /**
   * The largest number such that the nodes of some quorum all have at least that. The holder's
   * token is the largest vote of its own quorum, which shares a node with that one. A node that
   * granted it later may have voted for a larger number, which no lease has as its token.
   */
  private static OptionalLong fence(
      VoteCount voteCount, NodeAnswers<Optional<StoredLease>> answers, List<Integer> holding) {
    int nodes = answers.values().size();
    return holding.stream()
        .flatMapToLong(i -> fence(answers, i).stream())
        .filter(
            number ->
                voteCount.isQuorum(
                    NodeSet.where(
                        nodes, i -> holding.contains(i) && fence(answers, i).orElse(-1) >= number)))
        .max();
  }

  private static OptionalLong fence(NodeAnswers<Optional<StoredLease>> answers, int node) {
    return lease(answers, node).map(StoredLease::fence).orElse(OptionalLong.empty());
  }

  private static Optional<StoredLease> lease(NodeAnswers<Optional<StoredLease>> answers, int node) {
    return answers.values().get(node).flatMap(l -> l);
  }
}
