package dev.leasehold.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pair of other libraries' locks, on one thread: Spring Integration's and ShedLock's on the same
 * Redis, Curator's on ZooKeeper, and jetcd's on etcd where that is installed. README.md says in
 * what they differ.
 */
final class PeerPairs {
  private PeerPairs() {}

  static void run(String uri, Effort effort, Figures figures) throws Exception {
    Optional<Path> installed = EtcdSubject.installed();
    if (installed.isEmpty()) {
      figures.note("etcd is left out: no etcd on the PATH (Debian: apt-get install etcd-server)");
    }
    try (Subject ours = LockSubjects.leasehold("redis-set", uri, Map.of());
        Subject registry = SpringSubjects.registry(uri);
        Subject shedLock = SpringSubjects.shedLock(uri);
        Subject curator = ZooKeeperSubject.start();
        @Nullable Subject etcd = installed.isEmpty() ? null : EtcdSubject.start(installed.get())) {
      List<Subject> all = new ArrayList<>(List.of(ours, registry, shedLock, curator));
      if (etcd != null) {
        all.add(etcd);
      }
      List<Double> ns = new Alternation(effort).latencies(all);
      for (int i = 0; i < all.size(); i++) {
        figures.note("%s: %.1f us a pair", all.get(i).name(), ns.get(i) / 1e3);
      }
      String condition = "one thread, uncontended, median time of acquire and release";
      for (int i = 1; i < all.size(); i++) {
        String peer = all.get(i).name();
        figures.ratio("peers " + peer + ":redis-set", ns.get(i) / ns.get(0), ">=1.0", condition);
      }
    }
  }
}
