package dev.leasehold.redis.set;

import dev.leasehold.testkit.Await;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cluster of three primaries, and a replica of the first. */
final class TestCluster implements AutoCloseable {
  /** Six processes agree on it, on a machine that others use. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Duration MANUAL_FAILOVER = Duration.ofSeconds(6);

  private static final int PRIMARIES = 3;
  private static final AtomicInteger NAMES = new AtomicInteger();
  private final List<TestServer> nodes = new ArrayList<>();

  private TestCluster() {}

  static TestCluster start(ServerKind kind) {
    TestCluster cluster = new TestCluster();
    try {
      cluster.form(kind);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void form(ServerKind kind) {
    for (int i = 0; i <= PRIMARIES; i++) {
      nodes.add(kind.start("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"));
    }
    for (int i = 0; i < PRIMARIES; i++) {
      int from = i * SlotHash.SLOT_COUNT / PRIMARIES;
      int to = (i + 1) * SlotHash.SLOT_COUNT / PRIMARIES;
      Stream<String> slots = IntStream.range(from, to).mapToObj(Integer::toString);
      nodes
          .get(i)
          .call(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots).toArray(String[]::new));
      nodes.get(i).call("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
    }
    for (TestServer node : nodes.subList(1, nodes.size())) {
      node.admin().clusterMeet("127.0.0.1", nodes.get(0).port());
    }
    Await.until(
        "the nodes know one another",
        PATIENCE,
        () -> nodes.stream().allMatch(n -> n.admin().clusterInfo().contains("known_nodes:4")));
    replica().call("CLUSTER", "REPLICATE", node(0).admin().clusterMyId());
    Await.until(
        "the cluster and its replica are up",
        PATIENCE,
        () ->
            nodes.stream().allMatch(n -> n.admin().clusterInfo().contains("cluster_state:ok"))
                && replica().admin().info("replication").contains("master_link_status:up")
                && node(1).admin().clusterNodes().contains("slave"));
  }

  List<TestServer> nodes() {
    return nodes;
  }

  TestServer node(int i) {
    return nodes.get(i);
  }

  TestServer replica() {
    return nodes.get(PRIMARIES);
  }

  /**
   * Makes the replica the primary. A server gives up a manual failover after five seconds, for
   * good, so this asks for it again.
   */
  void failOver() {
    AtomicLong askedAt = new AtomicLong(System.nanoTime() - PATIENCE.toNanos());
    Await.until(
        "the replica has become the primary",
        PATIENCE,
        () -> {
          boolean done = replica().admin().info("replication").contains("role:master");
          if (!done && System.nanoTime() - askedAt.get() > MANUAL_FAILOVER.toNanos()) {
            askedAt.set(System.nanoTime());
            replica().call("CLUSTER", "FAILOVER");
          }
          return done;
        });
  }

  /** One host is enough to find the others. */
  String uri() {
    return node(1).uri();
  }

  /** A name whose keys a primary has, and that is unused: it may be kept for a waiter. */
  String nameOn(int primary) {
    return IntStream.generate(NAMES::incrementAndGet)
        .mapToObj(n -> "n" + n)
        .filter(n -> SlotHash.getSlot(n) * PRIMARIES / SlotHash.SLOT_COUNT == primary)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    nodes.forEach(TestServer::close);
  }
}
