package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.util.List;
import java.util.Optional;

/**
 * One server's answer about a lock.
 *
 * @param node its address, without credentials
 * @param failure why it could not be reached, in one line; empty if it answered
 * @param holds the ids of the holds that it has: on a node of a quorum, its votes
 */
public record NodeState(String node, Optional<String> failure, List<HoldId> holds) {
  /** Copies the list. */
  public NodeState {
    holds = List.copyOf(holds);
  }

  @Override
  public String toString() {
    return Quoted.record("NodeState", "node", node, "failure", failure, "holds", holds);
  }
}
