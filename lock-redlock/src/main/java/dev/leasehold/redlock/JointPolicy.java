package dev.leasehold.redlock;

import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.time.Duration;
import java.util.List;

/**
 * A quorum of each of two lists of nodes, while one list replaces the other: so each hold shares a
 * node with any hold by a client that has the old list alone, or the new one. Raft calls it joint
 * consensus. Stateless.
 *
 * @param each the policy of one list
 * @param lists each list's nodes, by their indexes among all
 * @see <a href="https://raft.github.io/raft.pdf">In search of an understandable consensus
 *     algorithm, section 6</a>
 */
record JointPolicy(QuorumPolicy each, List<List<Integer>> lists) implements QuorumPolicy {

  @Override
  public boolean isQuorum(NodeSet nodes) {
    return lists.stream().allMatch(list -> each.isQuorum(of(list, nodes)));
  }

  /** The nodes as the list's own policy sees them: numbered by their indexes in the list. */
  private static NodeSet of(List<Integer> list, NodeSet nodes) {
    return NodeSet.where(list.size(), i -> nodes.contains(list.get(i)));
  }

  @Override
  public Duration driftAllowance(Duration lease) {
    return each.driftAllowance(lease);
  }

  @Override
  public Duration nodeTimeout(Duration lease) {
    return each.nodeTimeout(lease);
  }

  @Override
  public Duration validity(Duration lease, Duration elapsed) {
    return each.validity(lease, elapsed);
  }
}
