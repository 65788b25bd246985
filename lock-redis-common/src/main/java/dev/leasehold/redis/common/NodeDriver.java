package dev.leasehold.redis.common;

/**
 * A client of one server as a node of a quorum. An acquisition, by a script that checks {@link
 * NodeVoter#guard its guard}, fails unless the server is known to have run with all its data for at
 * least the longest lease.
 */
public interface NodeDriver extends RedisDriver {
  /** What the server and this client know of each other. */
  NodeVoter voter();

  /** The server's run by the latest connection. */
  String runId();
}
