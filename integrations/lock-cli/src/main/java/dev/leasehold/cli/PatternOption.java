package dev.leasehold.cli;

import java.util.function.Function;
import picocli.CommandLine.Parameters;

/** The names that a command looks at. */
final class PatternOption {
  @Parameters(
      index = "0",
      paramLabel = "PATTERN",
      defaultValue = "*",
      description = "Of the locks' names, as of SCAN: * ? [a-c]; by default all.")
  String pattern;

  @SuppressWarnings("NullAway.Init") // picocli sets what has no default
  PatternOption() {}

  /**
   * What a method of {@code LockAdmin} makes of the pattern.
   *
   * @throws UsageException if it is no pattern
   */
  <T> T apply(Function<String, T> method) {
    try {
      return method.apply(pattern);
    } catch (IllegalArgumentException e) {
      throw new UsageException("PATTERN: " + e.getMessage());
    }
  }
}
