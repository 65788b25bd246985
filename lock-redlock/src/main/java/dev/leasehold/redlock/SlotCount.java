package dev.leasehold.redlock;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.quorum.SlotStore;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * How many permits the nodes have granted: for users' information, and to refuse another number.
 */
final class SlotCount {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private SlotCount() {}

  static CompletionStage<Permits> of(Quorum quorum, String name) {
    return quorum.<Permits, Permits>ask(
        LEASE,
        answers -> agreed(quorum.voteCount(), answers),
        node -> node.send(quorum.context(), () -> ((SlotStore) node.store).countSlots(name)));
  }

  /**
   * The count that a quorum of nodes reports. If no quorum agrees, as right after a grant or a
   * release that has not reached all nodes, the other nodes are awaited; if none agrees then, the
   * result is an estimate.
   */
  static Optional<Permits> agreed(VoteCount voteCount, NodeAnswers<Permits> answers) {
    Optional<Permits> agreed =
        answers.values().stream()
            .flatMap(Optional::stream)
            .filter(told -> voteCount.isQuorum(answers.where(told::equals)))
            .findAny();
    return agreed.isPresent() || !answers.isLast()
        ? agreed
        : voteCount.enough(answers).map(all -> middle(all.values()));
  }

  /**
   * Refuses every change; does nothing if the semaphore already has the new number.
   *
   * @param known the number that the nodes know; 0 if none does
   */
  static void checkResize(String name, int known, int from, int to) {
    if (known == to || (known == 0 && from == to)) {
      return;
    }
    if (known != 0 && known != from) {
      throw SlotStore.anotherNumber(name, from, known);
    }
    throw new LockConfigurationException(
        "semaphore "
            + Quoted.name(name)
            + " of "
            + from
            + " permits can't have "
            + to
            + ": on a quorum the number cannot be changed on a majority in one step. "
            + (known == 0
                ? "The name is unused: request a semaphore of " + to
                : "Use another name, or let this one be unused for a day"));
  }

  /** The refusal to give back some of a lease's permits. */
  static LockConfigurationException notInParts(String name) {
    return new LockConfigurationException(
        "semaphore "
            + Quoted.name(name)
            + ": on a quorum the permits of one lease are released together. Release the lease,"
            + " or acquire permits that end at different times by leases of their own");
  }

  /** The median: a node may lack a permit, or have one whose acquisition failed. */
  private static Permits middle(List<Optional<Permits>> answers) {
    List<Permits> told =
        answers.stream()
            .flatMap(Optional::stream)
            .sorted(Comparator.comparingInt(Permits::number).thenComparingInt(Permits::held))
            .toList();
    return told.get(told.size() / 2);
  }
}
