package dev.leasehold.testkit.sim;

import java.util.ArrayDeque;
import java.util.Locale;

/** The last lines of what happened. */
final class SimTrace {
  private static final int MOST_LINES = Integer.getInteger("leasehold.trace", 400);
  private static final double NANOS_PER_MILLI = 1e6;

  private final ArrayDeque<Line> lines = new ArrayDeque<>(MOST_LINES);
  private long forgotten;

  private record Line(long time, String who, Object what) {}

  void add(long time, String who, Object what) {
    if (lines.size() == MOST_LINES) {
      lines.removeFirst();
      forgotten++;
    }
    lines.addLast(new Line(time, who, what));
  }

  static String time(long nanos) {
    return String.format(Locale.ROOT, "%.3f ms", nanos / NANOS_PER_MILLI);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    if (forgotten > 0) {
      text.append("... ").append(forgotten).append(" earlier lines\n");
    }
    for (Line line : lines) {
      text.append(String.format("%16s  %-10s %s%n", time(line.time), line.who, line.what));
    }
    return text.toString();
  }
}
