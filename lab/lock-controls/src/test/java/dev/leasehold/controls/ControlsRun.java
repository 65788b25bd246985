package dev.leasehold.controls;

import dev.leasehold.testkit.RuleCase;
import dev.leasehold.testkit.RuleOutcome;
import dev.leasehold.testkit.Suite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Runs the whole suite on each control many times and counts the broken rules: a control must break
 * its own rules every time, and no others ever.
 *
 * <pre>
 * mvn -q -Pcontrols [-Dcontrols.times=50] [-Dcontrols.only=REGEX]
 * </pre>
 */
final class ControlsRun {
  private ControlsRun() {}

  /** Arguments: the number of runs, and optionally a pattern for the controls' names. */
  public static void main(String[] args) {
    int times = Integer.parseInt(args[0]);
    String only = args.length > 1 && !args[1].isBlank() ? args[1] : ".*";
    List<String> wrong = new ArrayList<>();
    for (Control control : Controls.all()) {
      if (control.name().matches(only)) {
        run(control, times, wrong);
      }
    }
    System.out.println(
        wrong.isEmpty()
            ? "\nEvery control is caught on exactly its rules, %d times of %d."
                .formatted(times, times)
            : "");
    wrong.forEach(System.out::println);
    System.exit(wrong.isEmpty() ? 0 : 1);
  }

  private static void run(Control control, int times, List<String> wrong) {
    System.out.printf("%n%s%n  has to break %s%n", control, control.breaks());
    Map<String, Integer> broken = new TreeMap<>();
    Map<String, String> why = new TreeMap<>();
    long begun = System.nanoTime();
    Set<String> named = Set.copyOf(control.breaks());
    try (Suite suite = Suite.of(control)) {
      for (int i = 1; i <= times; i++) {
        Map<String, String> now = brokenBy(control, suite);
        now.forEach((id, words) -> broken.merge(id, 1, Integer::sum));
        now.forEach(why::putIfAbsent);
        System.out.printf(
            "  %d/%d: broke %s (%d s)%n",
            i, times, now.keySet(), Duration.ofNanos(System.nanoTime() - begun).toSeconds());
        now.forEach(
            (id, words) -> {
              if (!named.contains(id)) {
                System.out.printf("    %s: %s%n", id, words);
              }
            });
      }
    }
    broken.forEach(
        (id, count) -> System.out.printf("  %-5s %d of %d: %s%n", id, count, times, why.get(id)));
    Set<String> all = new HashSet<>(named);
    all.addAll(broken.keySet());
    for (String id : all.stream().sorted().toList()) {
      int count = broken.getOrDefault(id, 0);
      if (count != (named.contains(id) ? times : 0)) {
        wrong.add(
            "%s: %s was broken %d times of %d, has to be %s"
                .formatted(control, id, count, times, named.contains(id) ? "each time" : "never"));
      }
    }
  }

  /** The rules broken in one run of the suite, with their messages. */
  private static Map<String, String> brokenBy(Control control, Suite suite) {
    return Suite.tests().stream()
        .filter(test -> control.concerns(test.rule().id()))
        .map(test -> Map.entry(test, suite.run(test)))
        .filter(e -> e.getValue() instanceof RuleOutcome.Broken)
        .collect(
            Collectors.toMap(
                e -> e.getKey().rule().id(), ControlsRun::words, (a, b) -> a, TreeMap::new));
  }

  private static String words(Map.Entry<RuleCase, RuleOutcome> e) {
    Throwable failure = ((RuleOutcome.Broken) e.getValue()).failure();
    return e.getKey().shows() + ": " + String.valueOf(failure.getMessage()).replace('\n', ' ');
  }
}
