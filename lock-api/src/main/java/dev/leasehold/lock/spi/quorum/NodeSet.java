package dev.leasehold.lock.spi.quorum;

import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Some of the nodes of a quorum, which are numbered from 0. Immutable.
 *
 * @param bits bit i stands for node i
 * @param outOf how many nodes the quorum has, 1 to 64
 */
public record NodeSet(long bits, int outOf) {

  /** As told. */
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

  /** No node. */
  public static NodeSet none(int outOf) {
    return new NodeSet(0, outOf);
  }

  /** Every node. */
  public static NodeSet all(int outOf) {
    return new NodeSet(mask(outOf), outOf);
  }

  /** The nodes whose numbers pass. */
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

  /** How many these are. */
  public int size() {
    return Long.bitCount(bits);
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return bits == 0;
  }

  /** Whether a node is one of them. */
  public boolean contains(int node) {
    return (bits & bit(node)) != 0;
  }

  /** The numbers of these, in order. */
  public IntStream nodes() {
    return IntStream.range(0, outOf).filter(this::contains);
  }

  /** These and one more. */
  public NodeSet with(int node) {
    return new NodeSet(bits | bit(node), outOf);
  }

  /** These but one. */
  public NodeSet without(int node) {
    return new NodeSet(bits & ~bit(node), outOf);
  }

  /** These and others of the same quorum. */
  public NodeSet and(NodeSet others) {
    return new NodeSet(bits | others.bits, outOf);
  }

  /** These but others of the same quorum. */
  public NodeSet butNot(NodeSet others) {
    return new NodeSet(bits & ~others.bits, outOf);
  }
}
