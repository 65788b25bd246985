package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What came of breaking a hold. */
public sealed interface BreakResult {

  /**
   * The hold is gone: on a quorum, no majority of nodes has it any more.
   *
   * @param hold as it was before
   * @param nodes the servers that freed it
   * @param failed servers that could not be asked; on a quorum a minority, which keeps the hold
   *     until it ends
   * @param wokeWaiter whether a waiter was woken, on any of them
   * @param believedFor for how long, at most, the former holder may go on: {@link
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

  /** There is no hold of this name: the one that was seen has ended. Nothing was changed. */
  record NotHeld() implements BreakResult {}

  /**
   * The hold that was seen has ended, and the name is another's. Nothing was changed.
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
   * The hold was freed on some nodes of the quorum, and still has a majority: the others could not
   * be asked. Try again when they answer, or the hold ends with its lease.
   *
   * @param nodes the nodes that freed it
   * @param failed those that could not be asked
   */
  record TooFewNodes(List<String> nodes, List<NodeState> failed) implements BreakResult {
    /** Copies the lists. */
    public TooFewNodes {
      nodes = List.copyOf(nodes);
      failed = List.copyOf(failed);
    }
  }

  /**
   * This kind of hold can't be ended this way. Nothing was changed.
   *
   * @param why in a sentence
   */
  record NotPossible(String why) implements BreakResult {}
}
