package dev.leasehold.redlock.model;

import java.util.Arrays;

/**
 * The states seen, in the order they were found, each with the one it was found from. Whole states
 * are kept and compared, so no two are ever taken for one.
 */
final class Visited {
  private static final int CHUNK = 1 << 16;
  private final int width;
  private long[][] chunks = new long[16][];
  private int[][] parents = new int[16][];
  private int[] table = new int[1 << 16];
  private int size;

  /**
   * None yet.
   *
   * @param width of a state, in longs
   */
  Visited(int width) {
    this.width = width;
  }

  int size() {
    return size;
  }

  long[] get(int index) {
    int at = index % CHUNK * width;
    return Arrays.copyOfRange(chunks[index / CHUNK], at, at + width);
  }

  int parent(int index) {
    return parents[index / CHUNK][index % CHUNK];
  }

  /** Whether it is new. */
  boolean add(long[] key, int parent) {
    int slot = find(key);
    if (table[slot] != 0) {
      return false;
    }
    int chunk = size / CHUNK;
    if (chunk == chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * chunk);
      parents = Arrays.copyOf(parents, 2 * chunk);
    }
    if (size % CHUNK == 0) {
      chunks[chunk] = new long[CHUNK * width];
      parents[chunk] = new int[CHUNK];
    }
    System.arraycopy(key, 0, chunks[chunk], size % CHUNK * width, width);
    parents[chunk][size % CHUNK] = parent;
    size++;
    table[slot] = size;
    if (size > table.length / 2) {
      grow();
    }
    return true;
  }

  /** Where it is, or where it would be. */
  private int find(long[] key) {
    int mask = table.length - 1;
    int slot = hash(key, 0) & mask;
    while (table[slot] != 0 && !isAt(table[slot] - 1, key)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean isAt(int index, long[] key) {
    long[] chunk = chunks[index / CHUNK];
    int at = index % CHUNK * width;
    for (int i = 0; i < width; i++) {
      if (chunk[at + i] != key[i]) {
        return false;
      }
    }
    return true;
  }

  private int hash(long[] longs, int from) {
    long hash = 0;
    for (int i = from; i < from + width; i++) {
      hash = (hash ^ longs[i]) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 32;
    }
    return (int) hash;
  }

  private void grow() {
    table = new int[2 * table.length];
    int mask = table.length - 1;
    for (int index = 0; index < size; index++) {
      int slot = hash(chunks[index / CHUNK], index % CHUNK * width) & mask;
      while (table[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      table[slot] = index + 1;
    }
  }
}
