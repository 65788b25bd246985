package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.node.MemoryNode;
import dev.leasehold.testkit.node.MemoryNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Other policies than the majority")
class PoliciesTest {
  /** Every node has to grant: one dead node stops all, and no restart can do harm. */
  static final QuorumPolicy UNANIMOUS = nodes -> nodes.size() == nodes.outOf();

  /**
   * Nodes that count for more than others, those on better machines say. More than half of all
   * votes, so that any two quorums have a node in common.
   */
  record Weighted(List<Integer> votes) implements QuorumPolicy {
    @Override
    public boolean isQuorum(NodeSet nodes) {
      int all = votes.stream().mapToInt(each -> each).sum();
      return 2 * nodes.nodes().map(votes::get).sum() > all;
    }
  }

  /** The patterns of nodes that are up, bit i for node i, with which the lock can be had. */
  private static List<Integer> patterns(int count, QuorumPolicy policy) {
    List<Integer> all = new ArrayList<>();
    for (int up = 0; up < 1 << count; up++) {
      try (MemoryNodes nodes = new MemoryNodes(count)) {
        for (MemoryNode node : nodes.all()) {
          if ((up >> node.number() & 1) == 0) {
            node.die();
          }
        }
        try (LockManager locks = RedlockLocks.over(nodes.clients()).policy(policy).manager()) {
          if (held(locks)) {
            all.add(up);
          }
        }
      }
    }
    return all;
  }

  private static boolean held(LockManager locks) {
    try {
      Optional<Lease> lease = locks.lock("l").tryAcquire();
      lease.ifPresent(Lease::release);
      return lease.isPresent();
    } catch (LockException noQuorum) {
      return false;
    }
  }

  @Test
  @DisplayName("A unanimous one needs every node")
  void unanimous() {
    assertEquals(List.of(0b111), patterns(3, UNANIMOUS));
    assertEquals(List.of(0b11111), patterns(5, UNANIMOUS));
  }

  @Test
  @DisplayName("A weighted one needs more than half of the votes")
  void weighted() {
    // Node 0 has two votes of five: with it any other will do, without it all three others.
    assertEquals(
        List.of(0b0011, 0b0101, 0b0111, 0b1001, 0b1011, 0b1101, 0b1110, 0b1111),
        patterns(4, new Weighted(List.of(2, 1, 1, 1))));
  }
}
