package dev.leasehold.redlock;

import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.quorum.SlotStore;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** How many permits a quorum's nodes have given: for people, and no more than that. */
final class SlotCount {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private SlotCount() {}

  static CompletionStage<Permits> of(Quorum quorum, String name) {
    return quorum
        .<Permits, Answers<Permits>>ask(
            LEASE,
            quorum.voteCount()::enough,
            node -> node.send(quorum.context(), () -> ((SlotStore) node.store).countSlots(name)))
        .thenApply(answers -> middle(answers.values()));
  }

  /** A node may miss a permit, or have one that came to nothing: the one in the middle. */
  private static Permits middle(List<Optional<Permits>> answers) {
    List<Permits> told =
        answers.stream()
            .flatMap(Optional::stream)
            .sorted(Comparator.comparingInt(Permits::number).thenComparingInt(Permits::held))
            .toList();
    return told.get(told.size() / 2);
  }
}
