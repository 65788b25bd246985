package dev.leasehold.admin;

import java.util.List;

/**
 * The servers that have a hold.
 *
 * @param nodes their addresses, without credentials; one for a single server or a cluster
 * @param enough whether they are a quorum: a majority of the nodes, and of each list while the list
 *     of nodes changes. A hold without a quorum is not a lease: it is being acquired or released,
 *     its nodes have lost it, or too few nodes answered
 */
public record Votes(List<String> nodes, boolean enough) {
  /** Copies the list. */
  public Votes {
    nodes = List.copyOf(nodes);
  }
}
