package dev.leasehold.benchmarks;

import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** What needs no answer of a server: a lease taken again, re-entry, a check of validity. */
final class TakenAgain {
  private TakenAgain() {}

  /**
   * Of a lease that lingers; a raw pair waits for the server, and is measured as in other groups.
   */
  static void linger(String uri, Effort effort, Figures figures) throws Exception {
    double raw;
    try (Subject lettuce = RawSubjects.lettuce(uri)) {
      raw = new Alternation(effort).latencies(List.of(lettuce)).get(0);
    }
    figures.note("raw-lettuce: %.1f us a pair", raw / 1e3);
    Map<String, Double> ns = Jmh.means(LingeringLock.class, uri, effort, figures);
    String condition = "one thread takes the same lock again and again, mean time of a pair";
    figures.ratio("linger redis-set us", ns.get("again") / 1e3, "<=1.5", condition);
    figures.ratio(
        "linger raw-lettuce:redis-set",
        raw / ns.get("again"),
        ">=100",
        condition + ", compared with the median of a raw pair before");
  }

  /** Of a lock that the thread holds. */
  static void reentry(String uri, Effort effort, Figures figures) throws RunnerException {
    Map<String, Double> ns = Jmh.means(HeldLock.class, uri, effort, figures);
    String condition = "one thread, mean time";
    figures.ratio("reentry redis-set ns", ns.get("again"), "<=100", condition + " of a pair");
    figures.ratio("reentry valid ns", ns.get("valid"), "<=30", condition + " of a check");
  }

  /** Of a free lock, on a store in memory. */
  static void engine(String uri, Effort effort, Figures figures) throws RunnerException {
    Map<String, Double> ns = Jmh.means(PairInMemory.class, uri, effort, figures);
    figures.ratio(
        "engine memory us",
        ns.get("pair") / 1e3,
        "<=10",
        "one thread, uncontended, on a store in memory, mean time of a pair");
  }
}
