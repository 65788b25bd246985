package dev.leasehold.redlock.model;

/**
 * One thing that can happen.
 *
 * @param what in words; of a round and a node if they are not negative
 * @param next the state after it
 * @param broken what it breaks; empty if nothing
 */
record Step(String what, int round, int node, State next, String broken) {

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    if (round >= 0) {
      text.append("round ").append(round + 1).append(": ");
    }
    if (node >= 0) {
      text.append("node ").append((char) ('A' + node)).append(": ");
    }
    return text.append(what).append(broken.isEmpty() ? "" : " -> " + broken).toString();
  }
}
