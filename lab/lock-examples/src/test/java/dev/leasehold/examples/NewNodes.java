package dev.leasehold.examples;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;

/** Newly started servers as nodes of a quorum. */
public final class NewNodes {
  private NewNodes() {}

  /** Three that vote at once. */
  public static ServerGroup three() {
    return ServerGroup.start(3, ServerOptions.defaults(), NewNodes::mayVote);
  }

  /**
   * Declares, as documented for quorums, that no lock was held on the server before: it votes at
   * once.
   */
  public static void mayVote(RedisServer server) {
    server.call("HSET", "lh:node", "run", server.runId(), "since", "0", "longest", "0");
  }
}
