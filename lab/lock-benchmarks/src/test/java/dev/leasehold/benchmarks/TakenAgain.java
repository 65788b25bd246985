package dev.leasehold.benchmarks;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** What needs no server: a lease taken again, re-entry, and a check of validity. */
final class TakenAgain {
  private static final String LINGER = "100ms";
  private static final int CALLS = 100;

  private TakenAgain() {}

  /** Of a lease that lingers. */
  static void linger(String uri, Effort effort, Figures figures) throws Exception {
    try (Subject raw = RawSubjects.lettuce(uri);
        Subject ours = LockSubjects.leasehold("redis-set", uri, Map.of("lock.linger", LINGER))) {
      Subject.Pair again = ours.on("again");
      List<Callable<Double>> turns =
          List.of(
              () -> each(raw.on("again"), effort.pairs()),
              () -> each(again, effort.pairs() * CALLS));
      List<Double> ns = new Alternation(effort).medians(effort.warmUps(), turns);
      figures.note("raw: %.2f us a pair; taken again: %.3f us", ns.get(0) / 1e3, ns.get(1) / 1e3);
      String condition = "one thread takes the same lock again and again, mean time of a pair";
      figures.ratio("linger redis-set us", ns.get(1) / 1e3, "<=1.5", condition);
      figures.ratio("linger raw-lettuce:redis-set", ns.get(0) / ns.get(1), ">=100", condition);
    }
  }

  /** Of a lock that the thread holds. */
  static void reentry(String uri, Effort effort, Figures figures) throws Exception {
    Map<String, String> settings = Map.of("lock.backend", "redis-set", "lock.redis.uri", uri);
    try (LockManager locks = LockManager.open(LockSettings.of(settings))) {
      DistributedLock lock = locks.lock("reentry");
      Lease held = lock.acquire();
      int[] valid = new int[1];
      List<Callable<Double>> turns =
          List.of(
              () -> each(() -> lock.acquire().release(), effort.pairs() * CALLS),
              () -> each(() -> valid[0] += held.isValid() ? 1 : 0, effort.pairs() * CALLS));
      List<Double> ns = new Alternation(effort).medians(effort.warmUps(), turns);
      held.release();
      String condition = "one thread, mean time";
      figures.ratio("reentry redis-set ns", ns.get(0), "<=100", condition + " of a pair");
      figures.ratio("reentry valid ns", ns.get(1), "<=30", condition + " of a check");
      figures.note("%d checks", valid[0]);
    }
  }

  private static double each(Subject.Pair pair, int times) throws Exception {
    long begun = System.nanoTime();
    for (int i = 0; i < times; i++) {
      pair.run();
    }
    return (System.nanoTime() - begun) / (double) times;
  }
}
