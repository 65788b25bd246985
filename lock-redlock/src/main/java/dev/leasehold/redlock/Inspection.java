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

/** Who holds a lock: the token that a quorum has, for as long as a quorum has it. */
final class Inspection {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private Inspection() {}

  static CompletionStage<Optional<StoredLease>> inspect(Quorum quorum, String name) {
    return quorum.<Optional<StoredLease>, Optional<StoredLease>>ask(
        LEASE,
        answers -> holder(quorum.voteCount(), answers),
        node -> node.send(quorum.context(), () -> quorum.view().of(node).inspect(name)));
  }

  /** Empty while it is not known; of an empty one if nobody has a quorum. */
  private static Optional<Optional<StoredLease>> holder(
      VoteCount voteCount, Answers<Optional<StoredLease>> answers) {
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
      VoteCount voteCount, Answers<Optional<StoredLease>> answers, String token) {
    List<Integer> longestFirst =
        java.util.stream.IntStream.range(0, answers.values().size())
            .boxed()
            .filter(i -> lease(answers, i).filter(l -> l.token().equals(token)).isPresent())
            .sorted(
                Comparator.comparing((Integer i) -> lease(answers, i).orElseThrow().remaining())
                    .reversed())
            .toList();
    NodeSet has = NodeSet.none(answers.values().size());
    OptionalLong fence = OptionalLong.empty();
    for (int i : longestFirst) {
      StoredLease lease = lease(answers, i).orElseThrow();
      has = has.with(i);
      if (lease.fence().isPresent() && lease.fence().getAsLong() > fence.orElse(-1)) {
        fence = lease.fence();
      }
      if (voteCount.isQuorum(has)) {
        return new StoredLease(token, lease.remaining(), fence);
      }
    }
    throw new IllegalStateException("no quorum has it");
  }

  private static Optional<StoredLease> lease(Answers<Optional<StoredLease>> answers, int node) {
    return answers.values().get(node).flatMap(l -> l);
  }
}
