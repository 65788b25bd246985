package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The result of breaking a hold. */
public sealed interface BreakResult {

  /**
   * The hold has ended: on a quorum, no majority of nodes has it any more.
   *
   * @param hold the hold before that
   * @param nodes the servers that freed it
   * @param failed servers that could not be reached; on a quorum a minority, which keeps the hold
   *     until it expires
   * @param wokeWaiter whether any of them woke a waiter
   * @param believedFor how long the former holder may continue at most: {@link
   *     ListedHold#believedFor}
   */
  record Broken(
      ListedHold hold,
      List<String> nodes,
      List<NodeState> failed,
      boolean wokeWaiter,
      Optional<Duration> believedFor)
      implements BreakResult {
    /** Copies the lists. */
    public Broken {
      nodes = List.copyOf(nodes);
      failed = List.copyOf(failed);
    }

    @Override
    public String toString() {
      return Quoted.record(
          "Broken",
          "hold",
          hold,
          "nodes",
          nodes,
          "failed",
          failed,
          "wokeWaiter",
          wokeWaiter,
          "believedFor",
          believedFor);
    }
  }

  /** The name has no hold: the hold given has ended before. Nothing was changed. */
  record NotHeld() implements BreakResult {}

  /**
   * The hold given has ended before, and another owner holds the name. Nothing was changed.
   *
   * @param now the present holds
   */
  record HeldByAnother(List<ListedHold> now) implements BreakResult {
    /** Copies the list. */
    public HeldByAnother {
      now = List.copyOf(now);
    }

    boolean has(HoldId id) {
      return now.stream().anyMatch(hold -> hold.id().equals(id));
    }
  }

  /**
   * The hold was freed on some nodes of the quorum but still has a majority, because the others
   * could not be reached. Try again when they can, or wait for the end of the lease.
   *
   * @param nodes the nodes that freed it
   * @param failed the nodes that could not be reached
   */
  record TooFewNodes(List<String> nodes, List<NodeState> failed) implements BreakResult {
    /** Copies the lists. */
    public TooFewNodes {
      nodes = List.copyOf(nodes);
      failed = List.copyOf(failed);
    }
  }

  /**
   * A hold of this format can't be ended this way. Nothing was changed.
   *
   * @param why the reason, as a sentence
   */
  record NotPossible(String why) implements BreakResult {}
}
