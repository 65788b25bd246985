package dev.leasehold.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the ratios of two commits, each measured in several turns. A ratio became worse, or
 * better, if its median changed by more than {@link #LEAST} beyond what the turns of one commit
 * differ among themselves, of the commit where they differ more.
 *
 * <p>The {@code compare} script starts this file from its source, so it uses the JDK alone.
 */
public final class Comparison {
  /** Smaller changes are not worth a second look. */
  private static final double LEAST = 0.03;

  private static final Pattern RATIO =
      Pattern.compile("ratio (?<name>.+?) (?<value>\\d+\\.\\d{3}) (?<target>[<>]=)\\S+ (?<how>.+)");

  private Comparison() {}

  /** What a measured change means. */
  enum Change {
    NONE("-"),
    BETTER("better"),
    WORSE("WORSE");

    private final String shown;

    Change(String shown) {
      this.shown = shown;
    }
  }

  /** One ratio; {@code smallerIsBetter} where its target is an upper bound. */
  private record Ratio(String name, String how, boolean smallerIsBetter) {}

  /**
   * Two folders, the old commit's and the new one's, with a file for the output of each turn. Exits
   * with 1 if a ratio became worse.
   */
  public static void main(String[] args) throws IOException {
    boolean worse = print(Path.of(args[0]), Path.of(args[1]), System.out);
    System.exit(worse ? 1 : 0);
  }

  /** Whether a ratio became worse. Those that only one of the commits has are not compared. */
  static boolean print(Path before, Path after, PrintStream out) throws IOException {
    Map<Ratio, List<Double>> old = read(before);
    Map<Ratio, List<Double>> now = read(after);
    boolean worse = false;
    out.printf("%8s %8s %8s %8s  %-7s ratio%n", "old", "new", "change", "spread", "");
    for (Map.Entry<Ratio, List<Double>> entry : old.entrySet()) {
      Ratio ratio = entry.getKey();
      List<Double> values = now.get(ratio);
      if (values != null) {
        Change change = change(entry.getValue(), values, ratio.smallerIsBetter);
        worse |= change == Change.WORSE;
        out.printf(
            Locale.ROOT,
            "%8.3f %8.3f %+7.1f%% %7.1f%%  %-7s %s, %s%n",
            median(entry.getValue()),
            median(values),
            100 * relative(entry.getValue(), values),
            100 * spread(entry.getValue(), values),
            change.shown,
            ratio.name,
            ratio.how);
      }
    }
    return worse;
  }

  static Change change(List<Double> old, List<Double> now, boolean smallerIsBetter) {
    double change = relative(old, now);
    if (Math.abs(change) <= LEAST + spread(old, now)) {
      return Change.NONE;
    }
    return change < 0 == smallerIsBetter ? Change.BETTER : Change.WORSE;
  }

  private static double relative(List<Double> old, List<Double> now) {
    return median(now) / median(old) - 1;
  }

  private static double spread(List<Double> old, List<Double> now) {
    return Math.max(spread(old), spread(now));
  }

  /** Half the distance between the quartiles, as a share of the median. */
  private static double spread(List<Double> values) {
    return (at(values, 0.75) - at(values, 0.25)) / 2 / median(values);
  }

  private static double median(List<Double> values) {
    return at(values, 0.5);
  }

  /** A quantile, interpolated between the two nearest values. */
  private static double at(List<Double> values, double share) {
    List<Double> sorted = values.stream().sorted().toList();
    double place = share * (sorted.size() - 1);
    double below = sorted.get((int) Math.floor(place));
    double above = sorted.get((int) Math.ceil(place));
    return below + (above - below) * (place - Math.floor(place));
  }

  private static Map<Ratio, List<Double>> read(Path folder) throws IOException {
    Map<Ratio, List<Double>> ratios = new LinkedHashMap<>();
    try (DirectoryStream<Path> turns = Files.newDirectoryStream(folder, "*.txt")) {
      for (Path turn : turns) {
        for (String line : Files.readAllLines(turn)) {
          Matcher found = RATIO.matcher(line);
          if (found.matches()) {
            boolean smallerIsBetter = found.group("target").equals("<=");
            Ratio ratio = new Ratio(found.group("name"), found.group("how"), smallerIsBetter);
            ratios
                .computeIfAbsent(ratio, key -> new ArrayList<>())
                .add(Double.parseDouble(found.group("value")));
          }
        }
      }
    }
    return ratios;
  }
}
