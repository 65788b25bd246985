package dev.leasehold.benchmarks;

import dev.leasehold.testkit.server.RedisReplication;
import dev.leasehold.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Pairs on a primary with replicas: without waiting for them, and waiting as Redisson does. */
final class ReplicaWaits {
  private ReplicaWaits() {}

  static void run(Effort effort, Figures figures) throws Exception {
    for (int replicas = 1; replicas <= 2; replicas++) {
      try (RedisReplication servers = RedisReplication.start(replicas)) {
        on(servers, effort, figures);
      }
    }
  }

  private static void on(RedisReplication servers, Effort effort, Figures figures)
      throws Exception {
    String uri = servers.primary().uri();
    List<String> others = servers.replicas().stream().map(RedisServer::uri).toList();
    int replicas = others.size();
    List<Subject> all = new ArrayList<>();
    try {
      all.add(LockSubjects.leasehold("redis-set", uri, Map.of()));
      for (int waits = 1; waits <= replicas; waits++) {
        all.add(
            LockSubjects.leasehold(
                "redis-set", uri, Map.of("lock.redis-set.wait-replicas", "" + waits)));
      }
      all.add(LockSubjects.redissonWaiting(uri, others));
      List<Double> ns = new Alternation(effort).latencies(all);
      List<Double> rates = new Alternation(effort).rates(all, 8, true);
      for (int i = 0; i < all.size(); i++) {
        figures.note(
            "%d replicas, %s: %.1f us a pair; 8 threads: %.0f a second",
            replicas, name(all, i), ns.get(i) / 1e3, rates.get(i));
      }
      for (int waits = 1; waits <= replicas; waits++) {
        String condition = replicas + " replicas, waiting for " + waits;
        figures.ratio(
            "replicas waiting:not",
            ns.get(waits) / ns.get(0),
            "<=2.0",
            condition + ", one thread, median time of a pair");
        figures.ratio(
            "replicas waiting:not-rate",
            rates.get(waits) / rates.get(0),
            ">=0.5",
            condition + ", 8 threads with a lock each, pairs per second");
      }
      figures.ratio(
          "replicas waiting:RLock",
          ns.get(replicas) / ns.get(replicas + 1),
          "<=1.0",
          replicas + " replicas, both wait for all of them, one thread");
    } finally {
      all.forEach(Subject::close);
    }
  }

  private static String name(List<Subject> all, int i) {
    return i == 0 || i == all.size() - 1 ? all.get(i).name() : "waiting for " + i;
  }
}
