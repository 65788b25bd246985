package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.quorum.ListedNode;
import dev.leasehold.lock.spi.quorum.ListedNode.Membership;
import dev.leasehold.redis.common.Script;
import java.util.function.Supplier;

/**
 * Plain mode on a node of a quorum. Besides the lock's key there is the node's marker, which
 * clients in other languages ignore. Thread-safe.
 */
final class PlainNode extends PlainStore implements ListedNode {
  private final LettuceNode node;

  PlainNode(LettuceNode node) {
    super(node, Script.GUARDED_PLAIN_ACQUIRE);
    this.node = node;
  }

  @Override
  public String serverId() {
    return node.runId();
  }

  @Override
  public String nodeId() {
    return node.voter().id();
  }

  @Override
  public void partOf(Supplier<Membership> membership) {
    node.voter().partOf(membership);
  }
}
