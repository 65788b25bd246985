package dev.leasehold.benchmarks;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs the named groups, by default all, on a server of their own, chosen by {@link
 * RedisServers#PROPERTY}.
 */
public final class Benchmarks {
  private static final String BRIEF = "--brief";

  private Benchmarks() {}

  public static void main(String[] args) throws Exception {
    try {
      run(List.of(args), System.out);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  static void run(List<String> args, PrintStream out) throws Exception {
    List<MeasurementGroup> groups = new ArrayList<>();
    for (String word : args) {
      if (!word.equals(BRIEF)) {
        groups.add(group(word));
      }
    }
    Effort effort = args.contains(BRIEF) ? Effort.BRIEF : Effort.FULL;
    Figures figures = new Figures(out);
    try (RedisServer server = RedisServers.start()) {
      out.printf(
          "%s, JDK %s, %d processors%n",
          server.version(),
          Runtime.version().feature(),
          Runtime.getRuntime().availableProcessors());
      for (MeasurementGroup group :
          groups.isEmpty() ? List.of(MeasurementGroup.values()) : groups) {
        group.run("redis://" + server.host() + ":" + server.port(), effort, figures);
      }
    }
  }

  private static MeasurementGroup group(String word) {
    for (MeasurementGroup group : MeasurementGroup.values()) {
      if (group.name().equalsIgnoreCase(word)) {
        return group;
      }
    }
    throw new IllegalArgumentException(
        word
            + " is no group: give "
            + List.of(MeasurementGroup.values()).toString().toLowerCase(Locale.ROOT)
            + ", or nothing for all; "
            + BRIEF
            + " only shows that they run");
  }
}
