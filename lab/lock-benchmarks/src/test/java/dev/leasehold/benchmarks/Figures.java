package dev.leasehold.benchmarks;

import java.io.PrintStream;
import java.util.Locale;

/** Prints results: each ratio on its own line, absolute figures indented above it. */
final class Figures {
  private final PrintStream out;

  Figures(PrintStream out) {
    this.out = out;
  }

  /** {@code ratio NAME VALUE target CONDITION}. */
  void ratio(String name, double value, String target, String condition) {
    out.printf(Locale.ROOT, "ratio %s %.3f %s %s%n", name, value, target, condition);
  }

  /** {@code point PICTURE SERIES X Y}: a value of a picture. */
  void point(Picture picture, String series, double x, double y) {
    out.printf(Locale.ROOT, "point %s %s %s %.3f%n", picture, series, x, y);
  }

  void note(String format, Object... values) {
    out.printf(Locale.ROOT, "  " + format + "%n", values);
  }
}
