package dev.leasehold.benchmarks;

import java.util.List;

/** How measured times are spread. */
final class Spread {
  private static final int BARS = 60;
  private static final double SHOWN = 0.99;

  private Spread() {}

  /**
   * Prints the points of a histogram that shows all but the longest hundredth of the slowest
   * subject's times, and the ratio of a high percentile.
   *
   * @param times sorted, in nanoseconds; those of the raw client first, ours second
   */
  static void print(List<Subject> subjects, List<List<Long>> times, Figures figures) {
    double most = times.stream().mapToDouble(all -> at(all, SHOWN)).max().orElseThrow();
    double width = most / BARS;
    for (int i = 0; i < times.size(); i++) {
      List<Long> all = times.get(i);
      String name = subjects.get(i).name();
      for (int bar = 0; bar < BARS; bar++) {
        double from = bar * width;
        long inside = all.stream().filter(t -> t >= from && t < from + width).count();
        figures.point(Picture.LATENCY, name, (from + width / 2) / 1e3, 100.0 * inside / all.size());
      }
      figures.note(
          "%s: half of the pairs within %.1f us, 99 of 100 within %.1f us",
          name, at(all, 0.5) / 1e3, at(all, SHOWN) / 1e3);
    }
    figures.ratio(
        "latency redis-set:raw-lettuce",
        at(times.get(1), SHOWN) / at(times.get(0), SHOWN),
        "<=1.5",
        "one thread, uncontended, the time within which 99 of 100 pairs end");
  }

  private static double at(List<Long> sorted, double share) {
    return sorted.get((int) (share * (sorted.size() - 1)));
  }
}
