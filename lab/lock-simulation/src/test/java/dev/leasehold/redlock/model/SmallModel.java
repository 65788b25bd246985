package dev.leasehold.redlock.model;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Three nodes and a few clients, as bytes, and a search of all states, nearest first, until none is
 * left or a rule is broken.
 *
 * <p>Any message comes at any time, or never, and so does its answer; a client that gives up or
 * loses its lease may be freed on each node at any time. There is no time: that leases end at their
 * clients before they do at the nodes is what {@link Protocol} is about. A node that lost its data
 * does not vote while a round is under way that was then.
 */
abstract class SmallModel {
  static final int NODES = Rules.NODES;
  static final int ALL = (1 << NODES) - 1;

  private final int length;
  private final int columns;
  private final Visited visited;
  private int current;
  private String broken = "";

  /**
   * A model of which nothing is known.
   *
   * @param length of a state, in bytes
   * @param columns how many times eight bytes, from the first, are about one node each, and nothing
   *     else is about one: states that differ by their order are one
   */
  SmallModel(int length, int columns) {
    this.length = length;
    this.columns = columns;
    this.visited = new Visited((length + Long.BYTES - 1) / Long.BYTES);
  }

  /**
   * What was found.
   *
   * @param states how many there are
   * @param broken the rule; empty if none was: then these were all states
   * @param steps how far away it broke
   */
  record Found(int states, String broken, int steps) {}

  abstract byte[] first();

  /**
   * Passes each state that may follow this one to {@link #next}, broken rules to {@link #broken}.
   */
  abstract void steps(byte[] state);

  final Found run() {
    visited.add(packed(first()), -1);
    for (current = 0; current < visited.size() && broken.isEmpty(); current++) {
      steps(unpacked(visited.get(current)));
    }
    return new Found(visited.size(), broken, broken.isEmpty() ? 0 : depth(current - 1) + 1);
  }

  final void next(byte[] state) {
    visited.add(packed(state), current);
  }

  /** The first one counts. */
  final void broken(String rule) {
    broken = broken.isEmpty() ? rule : broken;
  }

  static boolean has(int bits, int bit) {
    return (bits & 1 << bit) != 0;
  }

  static void set(byte[] state, int at, int bit) {
    state[at] = (byte) (state[at] | 1 << bit);
  }

  static void clear(byte[] state, int at, int bit) {
    state[at] = (byte) (state[at] & ~(1 << bit));
  }

  private int depth(int index) {
    int depth = 0;
    for (int at = index; at > 0; at = visited.parent(at)) {
      depth++;
    }
    return depth;
  }

  private long[] packed(byte[] state) {
    long[] key = new long[(length + Long.BYTES - 1) / Long.BYTES];
    ByteBuffer.wrap(Arrays.copyOf(state, key.length * Long.BYTES)).asLongBuffer().get(key);
    Arrays.sort(key, 0, columns);
    return key;
  }

  private byte[] unpacked(long[] key) {
    ByteBuffer bytes = ByteBuffer.allocate(key.length * Long.BYTES);
    bytes.asLongBuffer().put(key);
    return Arrays.copyOf(bytes.array(), length);
  }
}
