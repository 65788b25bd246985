package dev.leasehold.examples.jars;

import dev.leasehold.testkit.server.RedisServer;

/** Servers that were started a moment ago, as nodes of a quorum. */
final class NewNodes {
  private NewNodes() {}

  /** Says that no lock was held on it before, so that it votes at once. */
  static void mayVote(RedisServer server) {
    server.call("HSET", "lh:node", "run", server.runId(), "since", "0", "longest", "0");
  }
}
