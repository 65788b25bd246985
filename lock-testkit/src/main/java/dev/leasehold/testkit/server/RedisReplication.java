package dev.leasehold.testkit.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A primary with replicas, and a failover that loses the last writes for certain:
 *
 * <pre>{@code
 * try (RedisReplication group = RedisReplication.start(1)) {
 *   RedisServer replica = group.replicas().get(0);
 *   group.disconnect(replica);
 *   // what the primary is told now, the replica will never know
 *   group.promote(replica);
 * }
 * }</pre>
 *
 * <p>Stopping the replica instead would not do: what it missed would wait for it in its socket.
 * Nobody decides about the roles but the test. Not thread-safe.
 */
public final class RedisReplication implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private final Group group;
  private final List<RedisServer> replicas = new ArrayList<>();
  private RedisServer primary;

  private RedisReplication(Group group, int replicas, ServerOptions options) {
    this.group = group;
    this.primary = group.start(Group.following(options));
    for (int i = 0; i < replicas; i++) {
      this.replicas.add(group.startReplica(primary, options));
    }
    awaitInSync();
  }

  /** Starts servers of the kind that {@code leasehold.server} says, and waits until in sync. */
  public static RedisReplication start(int replicas) {
    return start(RedisServers.kind(), replicas, ServerOptions.defaults());
  }

  /**
   * Starts servers of a kind, and waits until they are in sync.
   *
   * @param replicas how many, beside the primary
   * @param options of each server
   * @throws UnsupportedOperationException if servers of this kind are no processes
   */
  public static RedisReplication start(String kind, int replicas, ServerOptions options) {
    return Group.form(kind, group -> new RedisReplication(group, replicas, options));
  }

  /** The primary, or the replica that was promoted last. */
  public RedisServer primary() {
    return primary;
  }

  /** The others, those that were disconnected included. */
  public List<RedisServer> replicas() {
    return List.copyOf(replicas);
  }

  /** Waits until every replica has all that the primary has written until now. */
  public void awaitInSync() {
    try (RespConnection connection = primary.connect()) {
      long offset = offset(connection.text("INFO", "replication"), "master_repl_offset");
      for (RedisServer replica : replicas) {
        Poll.until(replica + " in sync with " + primary, LONGEST, () -> has(replica, offset));
      }
    }
  }

  private static boolean has(RedisServer replica, long offset) {
    try (RespConnection connection = replica.connect()) {
      String info = connection.text("INFO", "replication");
      return Info.field(info, "master_link_status").filter("up"::equals).isPresent()
          && offset(info, "slave_repl_offset") >= offset;
    }
  }

  private static long offset(String info, String field) {
    return Info.field(info, field).map(Long::valueOf).orElse(-1L);
  }

  /** Cuts a replica off: it keeps what it has, and learns nothing more. */
  public void disconnect(RedisServer replica) {
    // Nobody listens there.
    replica.call("REPLICAOF", "127.0.0.1", "1");
  }

  /**
   * Makes a replica the primary, with what it has by now. The old primary still runs and still
   * believes in itself, as one does that the others have lost sight of.
   */
  public void promote(RedisServer replica) {
    replica.call("REPLICAOF", "NO", "ONE");
    replicas.remove(replica);
    replicas.add(primary);
    primary = replica;
  }

  /** Closes all servers. */
  @Override
  public void close() {
    group.close();
  }
}
