package dev.leasehold.testkit;

import java.time.Duration;
import java.util.List;

/** What tests of the suite do with cases of their own. */
final class SampleCases {
  private SampleCases() {}

  /** Runs one case of a theme on the kit's own store. */
  static RuleOutcome outcome(Class<?> theme, String shows) {
    RuleCase test = named(theme, shows);
    try (Suite suite = Suite.of(new MapBackend())) {
      return suite.run(test);
    }
  }

  /** The case of a theme that shows this. */
  static RuleCase named(Class<?> theme, String shows) {
    return RuleCase.in(List.of(theme)).stream()
        .filter(test -> test.shows().equals(shows))
        .findFirst()
        .orElseThrow();
  }

  /** Stops this JVM by a signal, as where its machine has no processor for it. */
  static void standStill(Duration time) throws Exception {
    long pid = ProcessHandle.current().pid();
    String seconds = time.toMillis() / 1000.0 + "";
    new ProcessBuilder(
            "sh", "-c", "kill -STOP " + pid + "; sleep " + seconds + "; kill -CONT " + pid)
        .start()
        .waitFor();
  }
}
