package dev.leasehold.lock.spi.quorum;

/** A quorum is more than half of the nodes. */
record Majority() implements QuorumPolicy {
  @Override
  public boolean isQuorum(NodeSet nodes) {
    return nodes.size() > nodes.outOf() / 2;
  }
}
