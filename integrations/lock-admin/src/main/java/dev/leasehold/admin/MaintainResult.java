package dev.leasehold.admin;

import java.util.List;

/** The result of acquiring a name for maintenance. */
public sealed interface MaintainResult {

  /**
   * The name is held for maintenance.
   *
   * @param hold the hold, which {@link LockAdmin#endMaintenance}, or {@link LockAdmin#breakLock}
   *     with its id, ends
   */
  record Taken(ListedHold hold) implements MaintainResult {}

  /**
   * The name is held by another owner. Nothing was changed.
   *
   * @param now the present holds
   */
  record Refused(List<ListedHold> now) implements MaintainResult {
    /** Copies the list. */
    public Refused {
      now = List.copyOf(now);
    }
  }

  /**
   * Too few nodes of the quorum granted it, and their grants were released.
   *
   * @param nodes the answer of each node
   */
  record TooFewNodes(List<NodeState> nodes) implements MaintainResult {
    /** Copies the list. */
    public TooFewNodes {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * Locks of this format can't be acquired this way. Nothing was changed.
   *
   * @param why the reason, as a sentence
   */
  record NotPossible(String why) implements MaintainResult {}
}
