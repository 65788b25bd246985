package dev.leasehold.benchmarks;

import dev.leasehold.testkit.server.RedisCluster;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Pairs on clusters of one, two and three primaries: 64 threads, each with its own lock. */
final class ClusterPairs {
  private static final int THREADS = 64;

  private ClusterPairs() {}

  static void run(Effort effort, Figures figures) throws Exception {
    for (int primaries : effort == Effort.BRIEF ? new int[] {1} : new int[] {1, 2, 3}) {
      try (RedisCluster cluster =
              RedisCluster.start(RedisServers.kind(), primaries, 0, ServerOptions.defaults());
          Subject ours = leasehold(cluster.nodes());
          Subject theirs =
              LockSubjects.redissonCluster(
                  cluster.nodes().stream().map(RedisServer::uri).toList())) {
        List<Subject> all = List.of(ours, theirs);
        List<Double> rates = MeasurementGroup.rates(all, THREADS, true, effort, figures);
        for (int i = 0; i < all.size(); i++) {
          figures.point(Picture.CLUSTER, all.get(i).name(), primaries, rates.get(i));
        }
        figures.ratio(
            "cluster redis-set:RLock",
            rates.get(0) / rates.get(1),
            ">=3.0",
            primaries + " primaries, " + THREADS + " threads with a lock each, pairs per second");
      }
    }
  }

  private static Subject leasehold(List<RedisServer> nodes) {
    String addresses =
        nodes.stream()
            .map(node -> node.host() + ":" + node.port())
            .collect(Collectors.joining(","));
    return LockSubjects.leasehold(
        "redis-set", "redis://" + addresses, Map.of("lock.redis.cluster", "true"));
  }
}
