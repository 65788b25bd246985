package dev.leasehold.lock.spi.quorum;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeSetTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 63, 64})
  @DisplayName("All, none and one, up to the most nodes that there may be")
  void ends(int count) {
    NodeSet all = NodeSet.all(count);
    assertEquals(count, all.size());
    assertTrue(all.contains(count - 1));
    assertEquals(NodeSet.none(count), all.butNot(all));
    assertEquals(count - 1, all.without(count - 1).size());
    assertEquals(all, all.without(count - 1).with(count - 1));
    assertTrue(NodeSet.none(count).isEmpty());
    assertFalse(NodeSet.none(count).contains(0));
  }

  @Test
  @DisplayName("Nodes are reported in their order")
  void order() {
    NodeSet odd = NodeSet.where(5, i -> i % 2 == 1);
    assertArrayEquals(new int[] {1, 3}, odd.nodes().toArray());
    assertArrayEquals(new int[] {0, 1, 3}, odd.and(NodeSet.none(5).with(0)).nodes().toArray());
    assertArrayEquals(new int[] {0, 2, 4}, NodeSet.all(5).butNot(odd).nodes().toArray());
  }

  @Test
  @DisplayName("A node that the quorum does not have is refused")
  void strange() {
    assertThrows(IllegalArgumentException.class, () -> new NodeSet(0b1000, 3));
    assertThrows(IndexOutOfBoundsException.class, () -> NodeSet.none(3).with(3));
    assertThrows(IndexOutOfBoundsException.class, () -> NodeSet.all(64).contains(64));
    assertThrows(IllegalArgumentException.class, () -> new NodeSet(0, 0));
    assertThrows(IllegalArgumentException.class, () -> NodeSet.all(65));
  }

  @Test
  @DisplayName("A majority is more than half")
  void majority() {
    QuorumPolicy majority = QuorumPolicy.majority();
    assertFalse(majority.isQuorum(NodeSet.where(4, i -> i < 2)));
    assertTrue(majority.isQuorum(NodeSet.where(4, i -> i < 3)));
    assertTrue(majority.isQuorum(NodeSet.where(5, i -> i < 3)));
  }
}
