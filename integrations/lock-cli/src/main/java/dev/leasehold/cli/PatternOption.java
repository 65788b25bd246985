package dev.leasehold.cli;

import java.util.function.Function;
import picocli.CommandLine.Parameters;

/** The pattern of the names that a command reads. */
final class PatternOption {
  @Parameters(
      index = "0",
      paramLabel = "PATTERN",
      defaultValue = "*",
      description = "Pattern for names, as for SCAN: * ? [a-c]. Default: all.")
  String pattern;

  /**
   * Applies a method of {@code LockAdmin} to the pattern.
   *
   * @throws UsageException if the pattern is not valid
   */
  <T> T apply(Function<String, T> method) {
    try {
      return method.apply(pattern);
    } catch (IllegalArgumentException e) {
      throw new UsageException("PATTERN: " + e.getMessage());
    }
  }
}
