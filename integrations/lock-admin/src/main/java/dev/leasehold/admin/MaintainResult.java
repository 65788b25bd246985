package dev.leasehold.admin;

import java.util.List;

/** What came of taking a name for maintenance. */
public sealed interface MaintainResult {

  /**
   * The name is taken.
   *
   * @param hold the hold; its id ends it by {@link LockAdmin#breakLock}, and so does {@link
   *     LockAdmin#endMaintenance}
   */
  record Taken(ListedHold hold) implements MaintainResult {}

  /**
   * The name is another's. Nothing was changed.
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
   * Too few nodes of the quorum granted it, and what they granted was given back.
   *
   * @param nodes what each node said
   */
  record TooFewNodes(List<NodeState> nodes) implements MaintainResult {
    /** Copies the list. */
    public TooFewNodes {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * Locks of this format can't be taken this way. Nothing was changed.
   *
   * @param why in a sentence
   */
  record NotPossible(String why) implements MaintainResult {}
}
