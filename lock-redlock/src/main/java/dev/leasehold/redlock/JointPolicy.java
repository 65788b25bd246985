package dev.leasehold.redlock;

import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.time.Duration;
import java.util.List;

/**
 * A quorum of each of two lists of nodes, while one list takes the other's place: so each hold has
 * a node in common with a client of the old list alone, or of the new one. Raft calls it joint
 * consensus. Stateless.
 *
 * @param each what is enough of one list
 * @param lists each list's nodes, by their numbers among all
 * @see <a href="https://raft.github.io/raft.pdf">In search of an understandable consensus
 *     algorithm, section 6</a>
 */
record JointPolicy(QuorumPolicy each, List<List<Integer>> lists) implements QuorumPolicy {

  @Override
  public boolean isQuorum(NodeSet nodes) {
    return lists.stream().allMatch(list -> each.isQuorum(of(list, nodes)));
  }

  /** As the list's own policy sees them: numbered by their places in it. */
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
