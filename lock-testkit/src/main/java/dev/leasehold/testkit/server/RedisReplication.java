package dev.leasehold.testkit.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A primary with replicas, and a failover that is certain to lose the last writes:
 *
 * <pre>{@code
 * try (RedisReplication group = RedisReplication.start(1)) {
 *   RedisServer replica = group.replicas().get(0);
 *   group.disconnect(replica);
 *   // later writes never reach the replica
 *   group.promote(replica);
 * }
 * }</pre>
 *
 * <p>Pausing the replica instead would not do: the writes would be waiting in its socket. Only the
 * test changes roles. Not thread-safe.
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

  /**
   * Starts servers of the kind given by {@code leasehold.server}, and waits until they are in sync.
   */
  public static RedisReplication start(int replicas) {
    return start(RedisServers.kind(), replicas, ServerOptions.defaults());
  }

  /**
   * Starts servers of a kind, and waits until they are in sync.
   *
   * @param replicas number of replicas
   * @param options of each server
   * @throws UnsupportedOperationException if servers of this kind are not processes
   */
  public static RedisReplication start(String kind, int replicas, ServerOptions options) {
    return Group.form(kind, group -> new RedisReplication(group, replicas, options));
  }

  /** The primary, or the replica that was promoted last. */
  public RedisServer primary() {
    return primary;
  }

  /** The other servers, including disconnected ones. */
  public List<RedisServer> replicas() {
    return List.copyOf(replicas);
  }

  /** Waits until every replica has all writes of the primary so far. */
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

  /** Cuts a replica off: it keeps its data and receives no further writes. */
  public void disconnect(RedisServer replica) {
    // An address without a server.
    replica.call("REPLICAOF", "127.0.0.1", "1");
  }

  /**
   * Promotes a replica with the data it has. The old primary keeps running as a primary, like one
   * on the far side of a network partition.
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
