package dev.leasehold.testkit.server;

import java.util.List;
import java.util.stream.Stream;

/**
 * The migration of a cluster slot from one primary to another. Until it is finished, keys that were
 * not migrated are on the source and all others on the target. Not thread-safe.
 */
public final class SlotMove {
  private static final String TIMEOUT_MILLIS = "5000";
  private static final String AT_ONCE = "100";

  private final RedisCluster cluster;
  private final String slot;
  private final RedisServer from;
  private final RedisServer to;
  private final String target;

  /** Starts the migration. */
  SlotMove(RedisCluster cluster, int slot, RedisServer from, RedisServer to) {
    this.cluster = cluster;
    this.slot = Integer.toString(slot);
    this.from = from;
    this.to = to;
    this.target = id(to);
    to.call("CLUSTER", "SETSLOT", this.slot, "IMPORTING", id(from));
    from.call("CLUSTER", "SETSLOT", this.slot, "MIGRATING", target);
  }

  private static String id(RedisServer node) {
    try (RespConnection connection = node.connect()) {
      return connection.text("CLUSTER", "MYID");
    }
  }

  /** Migrates these keys, if they exist. */
  public void carry(String... keys) {
    String port = Integer.toString(to.port());
    Stream<String> begin = Stream.of("MIGRATE", to.host(), port, "", "0", TIMEOUT_MILLIS, "KEYS");
    from.call(Stream.concat(begin, Stream.of(keys)).toArray(String[]::new));
  }

  /** Migrates the remaining keys and makes the target the slot's owner. */
  public void finish() {
    for (List<String> keys = keys(); !keys.isEmpty(); keys = keys()) {
      carry(keys.toArray(String[]::new));
    }
    // The target first, so that the slot always has an owner.
    to.call("CLUSTER", "SETSLOT", slot, "NODE", target);
    from.call("CLUSTER", "SETSLOT", slot, "NODE", target);
    for (RedisServer node : cluster.primaries()) {
      node.call("CLUSTER", "SETSLOT", slot, "NODE", target);
    }
  }

  private List<String> keys() {
    try (RespConnection connection = from.connect()) {
      return connection.list("CLUSTER", "GETKEYSINSLOT", slot, AT_ONCE).stream()
          .map(String::valueOf)
          .toList();
    }
  }
}
