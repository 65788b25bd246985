package dev.leasehold.lock.spi.quorum;

import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A set of nodes of a quorum, numbered from 0. Immutable.
 *
 * @param bits bit i stands for node i
 * @param outOf number of nodes in the quorum, 1 to 64
 */
public record NodeSet(long bits, int outOf) {

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if {@code outOf} is out of range or a bit stands for no node
   */
  public NodeSet {
    if (outOf < 1 || outOf > Long.SIZE) {
      throw new IllegalArgumentException(outOf + " nodes are not between 1 and " + Long.SIZE);
    }
    if ((bits & ~mask(outOf)) != 0) {
      throw new IllegalArgumentException(
          Long.toBinaryString(bits) + " has nodes that are none of " + outOf);
    }
  }

  private static long mask(int nodes) {
    return -1L >>> (Long.SIZE - nodes);
  }

  /** The empty set. */
  public static NodeSet none(int outOf) {
    return new NodeSet(0, outOf);
  }

  /** All nodes. */
  public static NodeSet all(int outOf) {
    return new NodeSet(mask(outOf), outOf);
  }

  /** The nodes whose numbers satisfy a condition. */
  public static NodeSet where(int outOf, IntPredicate node) {
    long bits = 0;
    for (int i = 0; i < outOf; i++) {
      if (node.test(i)) {
        bits |= 1L << i;
      }
    }
    return new NodeSet(bits, outOf);
  }

  private long bit(int node) {
    return 1L << Objects.checkIndex(node, outOf);
  }

  /** The number of nodes in this set. */
  public int size() {
    return Long.bitCount(bits);
  }

  /** Whether this set is empty. */
  public boolean isEmpty() {
    return bits == 0;
  }

  /** Whether this set contains a node. */
  public boolean contains(int node) {
    return (bits & bit(node)) != 0;
  }

  /** The numbers of the nodes in this set, in ascending order. */
  public IntStream nodes() {
    return IntStream.range(0, outOf).filter(this::contains);
  }

  /** This set with one more node. */
  public NodeSet with(int node) {
    return new NodeSet(bits | bit(node), outOf);
  }

  /** This set without one node. */
  public NodeSet without(int node) {
    return new NodeSet(bits & ~bit(node), outOf);
  }

  /** The union with another set of the same quorum. */
  public NodeSet and(NodeSet others) {
    return new NodeSet(bits | others.bits, outOf);
  }

  /** This set without another set of the same quorum. */
  public NodeSet butNot(NodeSet others) {
    return new NodeSet(bits & ~others.bits, outOf);
  }
}
