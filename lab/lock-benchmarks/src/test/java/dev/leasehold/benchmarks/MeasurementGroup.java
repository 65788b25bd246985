package dev.leasehold.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The groups of measurements. */
enum MeasurementGroup {
  /** One thread without contention: the time per pair. */
  PAIR {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      pairs("pair", "", uri, effort, figures);
    }
  },

  /** The same while the cores are kept awake. */
  AWAKE {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      try (SpinningCores cores = SpinningCores.start()) {
        figures.note("awake: %d processes that spin", cores.spinners().size());
        pairs("awake", ", cores kept awake", uri, effort, figures);
      }
    }
  },

  /** One thread without contention: how the times of single pairs are spread. */
  LATENCY {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      try (Subjects s = new Subjects(uri)) {
        List<Subject> all = List.of(s.rawLettuce(), s.leasehold("redis-set"), s.redisson());
        List<List<Long>> times = new Alternation(effort).times(all);
        Spread.print(all, times, figures);
      }
    }
  },

  /** Many threads, each with its own lock: pairs per second. */
  KEYS {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      try (Subjects s = new Subjects(uri)) {
        List<Subject> all = List.of(s.rawLettuce(), s.leasehold("redis-set"), s.redisson());
        for (int threads : new int[] {8, 64}) {
          List<Double> rate = rates(all, threads, true, effort, figures);
          String condition = threads + " threads with a lock each, pairs per second";
          String least = threads == 64 ? ">=1.00" : ">=0.90";
          figures.ratio("keys redis-set:raw-lettuce", rate.get(1) / rate.get(0), least, condition);
          figures.ratio("keys redis-set:RLock", rate.get(1) / rate.get(2), ">=3.0", condition);
        }
      }
    }
  },

  /** Many threads of one process, one lock: sections per second. */
  THREADS {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      try (Subjects s = new Subjects(uri)) {
        List<Subject> all = List.of(RawSubjects.jdk(), s.leasehold("redis-set"), s.redisson());
        for (int threads : effort == Effort.BRIEF ? new int[] {8} : new int[] {1, 8, 64, 256}) {
          List<Double> rate = rates(all, threads, false, effort, figures);
          for (int i = 0; i < all.size(); i++) {
            figures.point(Picture.THREADS, all.get(i).name(), threads, rate.get(i));
          }
          String condition = threads + " threads, one lock, sections per second";
          if (threads > 1) {
            figures.ratio("threads redis-set:jdk", rate.get(1) / rate.get(0), ">=0.80", condition);
            figures.ratio("threads redis-set:RLock", rate.get(1) / rate.get(2), ">=10", condition);
          }
        }
      }
    }
  },

  /** Several processes of four threads, one lock. */
  PROCESSES {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      for (int processes : effort == Effort.BRIEF ? new int[] {2} : new int[] {1, 2, 4, 8}) {
        Processes.Result ours = Processes.run("redis-set", uri, processes, effort);
        Processes.Result theirs = Processes.run("RLock", uri, processes, effort);
        String condition = processes + " processes of 4 threads, one lock";
        for (Processes.Result result : List.of(ours, theirs)) {
          figures.note("%s, %s: %s", condition, result.subject(), result);
          figures.point(Picture.PROCESSES, result.subject(), processes, result.perSecond());
        }
        if (processes == 1) {
          continue; // for the picture
        }
        double ratio = ours.perSecond() / theirs.perSecond();
        figures.ratio("processes redis-set:RLock", ratio, ">=50", condition);
        figures.ratio("processes redis-set least share", ours.leastShare(), ">=0.50", condition);
        figures.ratio(
            "processes redis-set longest wait",
            ours.longestWait().toMillis() / 500.0,
            "<=1.0",
            condition + ", of 500 ms");
      }
    }
  },

  /** The other kinds: a single thread, and many threads of one process. */
  KINDS {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      try (KindClients clients = KindClients.open(uri)) {
        new KindFigures(clients, effort, figures).run();
      }
    }
  },

  /** A lock on several independent servers. */
  QUORUM {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      QuorumPairs.run(effort, figures);
    }
  },

  /** What it costs to wait for replicas. */
  REPLICAS {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      ReplicaWaits.run(effort, figures);
    }
  },

  /** Leases that are held and renewed. */
  HELD {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      HeldLeases.run(uri, effort, figures);
    }
  },

  /** Clusters of one to three primaries. */
  CLUSTER {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      ClusterPairs.run(effort, figures);
    }
  },

  /** What many processes that want one lock cost the server. */
  FLEET {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      FleetCommands.contended(uri, effort, figures);
    }
  },

  /** What many leases cost the server. */
  RENEWALS {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      FleetCommands.renewals(uri, effort, figures);
    }
  },

  /** From a release to a waiter of another process. */
  WAKE {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      HandOverTimes.run(uri, effort, figures);
    }
  },

  /** Many acquisitions at the same moment, without threads. */
  ASYNC {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      ManyAtOnce.run(uri, effort, figures);
    }
  },

  /** A lease that lingers, taken again. */
  LINGER {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      TakenAgain.linger(uri, effort, figures);
    }
  },

  /** What remains of a pair without client, network and server. */
  ENGINE {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      TakenAgain.engine(uri, effort, figures);
    }
  },

  /** Other libraries' locks, on Redis and on other servers. */
  PEERS {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      PeerPairs.run(uri, effort, figures);
    }
  },

  /** Re-entry, and a check of validity. */
  REENTRY {
    @Override
    void run(String uri, Effort effort, Figures figures) throws Exception {
      TakenAgain.reentry(uri, effort, figures);
    }
  };

  abstract void run(String uri, Effort effort, Figures figures) throws Exception;

  /** Pairs on one thread, uncontended, of each client raw, ours and Redisson's. */
  private static void pairs(String group, String where, String uri, Effort effort, Figures figures)
      throws Exception {
    try (Subjects s = new Subjects(uri)) {
      List<Subject> all =
          List.of(
              s.rawLettuce(),
              s.leasehold("redis-set"),
              s.rawJedis(),
              s.leasehold("redis-setnx"),
              s.redisson(),
              s.leasehold("redisson"));
      List<Double> ns = new Alternation(effort).latencies(all);
      for (int i = 0; i < all.size(); i++) {
        figures.note("%s: %.1f us a pair", all.get(i).name(), ns.get(i) / 1e3);
      }
      String condition = "one thread, uncontended, median time of acquire and release" + where;
      figures.ratio(group + " redis-set:raw-lettuce", ns.get(1) / ns.get(0), "<=1.08", condition);
      figures.ratio(group + " redis-setnx:raw-jedis", ns.get(3) / ns.get(2), "<=1.08", condition);
      figures.ratio(group + " redisson:RLock", ns.get(5) / ns.get(4), "<=0.80", condition);
      figures.ratio(group + " redis-set:RLock", ns.get(1) / ns.get(4), "<=0.90", condition);
    }
  }

  /** Pairs per second, as {@link Alternation#rates}, printed one line per subject. */
  static List<Double> rates(
      List<Subject> all, int threads, boolean own, Effort effort, Figures figures)
      throws Exception {
    List<Double> rates = new Alternation(effort).rates(all, threads, own);
    for (int i = 0; i < all.size(); i++) {
      figures.note("%s, %d threads: %.0f a second", all.get(i).name(), threads, rates.get(i));
    }
    return rates;
  }

  /** Subjects opened on demand and closed together. */
  private record Subjects(String uri, Map<String, Subject> open) implements AutoCloseable {
    Subjects(String uri) {
      this(uri, new ConcurrentHashMap<>());
    }

    Subject rawLettuce() {
      return open("lettuce", RawSubjects::lettuce);
    }

    Subject rawJedis() {
      return open("jedis", RawSubjects::jedis);
    }

    Subject redisson() {
      return open("RLock", LockSubjects::redisson);
    }

    Subject leasehold(String backend) {
      return open(backend, at -> LockSubjects.leasehold(backend, at, Map.of()));
    }

    private Subject open(String name, Function<String, Subject> how) {
      return open.computeIfAbsent(name, n -> how.apply(uri));
    }

    @Override
    public void close() {
      open.values().forEach(Subject::close);
    }
  }
}
