package dev.leasehold.testkit.sim;

import java.util.ArrayDeque;
import java.util.Locale;

/** The trace of a world: its last lines, or all. */
final class SimTrace {
  private static final int USUAL_LINES = 400;
  private static final double NANOS_PER_MILLI = 1e6;

  private final ArrayDeque<Line> lines = new ArrayDeque<>(USUAL_LINES);
  private boolean whole;
  private long forgotten;

  private record Line(long time, String who, Object what) {}

  /** Keeps all lines from now on. */
  void keepAll() {
    whole = true;
  }

  void add(long time, String who, Object what) {
    if (!whole && lines.size() == USUAL_LINES) {
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
