package dev.leasehold.redlock;

import dev.leasehold.testkit.server.RedisServer;

/** What an operator may do to the servers of a quorum. */
final class Nodes {
  private Nodes() {}

  /** Says of a server that no lock was held on it before: it votes at once. */
  static void admit(RedisServer server) {
    server.call("HSET", "lh:node", "run", server.runId(), "since", "0", "longest", "0");
  }
}
