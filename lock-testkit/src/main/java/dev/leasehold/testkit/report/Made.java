package dev.leasehold.testkit.report;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * When and where a report was made.
 *
 * @param at when
 * @param java the JVM's version
 * @param machine operating system, architecture and processors
 */
public record Made(Instant at, String java, String machine) {

  /** Now, here. */
  public static Made now() {
    int processors = Runtime.getRuntime().availableProcessors();
    String machine =
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.arch")
            + ", "
            + processors
            + (processors == 1 ? " processor" : " processors");
    return new Made(
        Instant.now().truncatedTo(ChronoUnit.SECONDS), Runtime.version().toString(), machine);
  }

  /** All of it in a line. */
  @Override
  public String toString() {
    return at + ", Java " + java + ", " + machine;
  }
}
