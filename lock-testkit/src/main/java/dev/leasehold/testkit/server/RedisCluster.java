package dev.leasehold.testkit.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A cluster on loopback: primaries that share the slots evenly, and optional replicas. A node
 * counts as failed after two seconds. Not thread-safe.
 */
public final class RedisCluster implements AutoCloseable {
  private static final int SLOTS = 16_384;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final Group group;
  private final List<RedisServer> nodes = new ArrayList<>();

  private RedisCluster(Group group, int primaries, int replicasOfEach, ServerOptions options) {
    this.group = group;
    ServerOptions nodeOptions =
        Group.following(options)
            .withRole(ServerRole.CLUSTER_NODE)
            .withLine("cluster-node-timeout 2000")
            .withLine("cluster-replica-validity-factor 0")
            .withLine("cluster-announce-ip 127.0.0.1"); // a node that is alone would not know it
    if (options.tls().isPresent()) {
      nodeOptions = nodeOptions.with("--tls-cluster", "yes");
    }
    for (int i = 0; i < primaries * (1 + replicasOfEach); i++) {
      nodes.add(group.start(nodeOptions));
    }
    for (int i = 0; i < primaries; i++) {
      addSlots(i, primaries);
    }
    RedisServer first = nodes.get(0);
    for (RedisServer node : nodes.subList(1, nodes.size())) {
      node.call("CLUSTER", "MEET", first.host(), Integer.toString(first.port()));
    }
    String known = Integer.toString(nodes.size());
    Poll.until(
        "all nodes know each other",
        LONGEST,
        () -> nodes.stream().allMatch(n -> info(n, "cluster_known_nodes").equals(known)));
    for (int i = primaries; i < nodes.size(); i++) {
      replicate(nodes.get(i), nodes.get(i % primaries));
    }
    awaitOk();
  }

  /** Starts three primaries of the kind given by {@code leasehold.server}. */
  public static RedisCluster start() {
    return start(RedisServers.kind(), 3, 0, ServerOptions.defaults());
  }

  /**
   * Starts a cluster and waits until it is complete.
   *
   * @param primaries number of primaries; at least three, if failed ones are to be replaced
   * @param replicasOfEach number of replicas per primary
   * @param options of each node
   * @throws UnsupportedOperationException if servers of this kind are not processes
   */
  public static RedisCluster start(
      String kind, int primaries, int replicasOfEach, ServerOptions options) {
    return Group.form(kind, group -> new RedisCluster(group, primaries, replicasOfEach, options));
  }

  private void addSlots(int index, int primaries) {
    int from = index * SLOTS / primaries;
    int to = (index + 1) * SLOTS / primaries;
    Stream<String> slots = IntStream.range(from, to).mapToObj(Integer::toString);
    RedisServer node = nodes.get(index);
    node.call(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots).toArray(String[]::new));
    // Nodes that meet with equal epochs would first have to resolve the conflict.
    node.call("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(index + 1));
  }

  private static void replicate(RedisServer replica, RedisServer primary) {
    try (RespConnection connection = primary.connect()) {
      String id = connection.text("CLUSTER", "MYID");
      replica.call("CLUSTER", "REPLICATE", id);
    }
    Poll.until(
        replica + " in sync with " + primary,
        LONGEST,
        () -> {
          try (RespConnection connection = replica.connect()) {
            return connection.text("INFO", "replication").contains("master_link_status:up");
          }
        });
  }

  private static String info(RedisServer node, String field) {
    try (RespConnection connection = node.connect()) {
      return Info.field(connection.text("CLUSTER", "INFO"), field).orElse("");
    }
  }

  /** All nodes, regardless of their current role, including dead ones. */
  public List<RedisServer> nodes() {
    return List.copyOf(nodes);
  }

  /** The running nodes that report themselves as primaries. */
  public List<RedisServer> primaries() {
    return running().filter(RedisCluster::isPrimary).toList();
  }

  /** The running nodes that report themselves as replicas. */
  public List<RedisServer> replicas() {
    return running().filter(node -> !isPrimary(node)).toList();
  }

  private Stream<RedisServer> running() {
    return nodes.stream().filter(node -> node.pid().isPresent());
  }

  private static boolean isPrimary(RedisServer node) {
    try (RespConnection connection = node.connect()) {
      return connection.list("ROLE").get(0).equals("master");
    }
  }

  /** The slot of a key, from 0 to 16383. */
  public int slot(String key) {
    try (RespConnection connection = anyNode().connect()) {
      return Math.toIntExact(connection.number("CLUSTER", "KEYSLOT", key));
    }
  }

  /** The primary that owns a key's slot. */
  public RedisServer owner(String key) {
    int slot = slot(key);
    try (RespConnection connection = anyNode().connect()) {
      for (Object range : connection.list("CLUSTER", "SLOTS")) {
        if (range instanceof List<?> parts
            && (Long) parts.get(0) <= slot
            && slot <= (Long) parts.get(1)
            && parts.get(2) instanceof List<?> node) {
          return nodes.stream()
              .filter(n -> node.get(1).equals((long) n.port()))
              .findFirst()
              .orElseThrow();
        }
      }
    }
    throw new IllegalStateException("No node serves slot " + slot + " at the moment");
  }

  private RedisServer anyNode() {
    return running().findFirst().orElseThrow(() -> new IllegalStateException("All nodes are dead"));
  }

  /**
   * Waits until every running node reports the cluster complete, with all slots on running nodes.
   */
  public void awaitOk() {
    Poll.until(
        "the cluster is complete",
        LONGEST,
        () ->
            running()
                .allMatch(
                    node ->
                        info(node, "cluster_state").equals("ok")
                            && info(node, "cluster_slots_ok").equals(Integer.toString(SLOTS))));
  }

  /**
   * Kills a primary that has a replica, and waits until the replica has been promoted.
   *
   * @return the new primary
   */
  public RedisServer failOver(RedisServer primary) {
    List<RedisServer> before = primaries();
    primary.kill();
    Poll.until("a replica in place of " + primary, LONGEST, () -> newPrimary(before).isPresent());
    awaitOk();
    return newPrimary(before).orElseThrow();
  }

  /** Begins to migrate the slot of a key to another primary; the caller finishes the migration. */
  public SlotMove move(String key) {
    RedisServer from = owner(key);
    RedisServer to =
        primaries().stream()
            .filter(node -> !node.equals(from))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("No other primary to move a slot to"));
    return new SlotMove(this, slot(key), from, to);
  }

  private Optional<RedisServer> newPrimary(List<RedisServer> before) {
    return primaries().stream().filter(node -> !before.contains(node)).findFirst();
  }

  /** Closes all nodes. */
  @Override
  public void close() {
    group.close();
  }
}
