package dev.leasehold.examples;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;

/** Servers that were started a moment ago, as nodes of a quorum. */
public final class NewNodes {
  private NewNodes() {}

  /** Three that vote at once. */
  public static ServerGroup three() {
    return ServerGroup.start(3, ServerOptions.defaults(), NewNodes::mayVote);
  }

  /** Says, as the quorum's page has it, that no lock was held on it before: it votes at once. */
  public static void mayVote(RedisServer server) {
    server.call("HSET", "lh:node", "run", server.runId(), "since", "0", "longest", "0");
  }
}
