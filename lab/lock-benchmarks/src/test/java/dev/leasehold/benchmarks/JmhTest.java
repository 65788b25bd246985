package dev.leasehold.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.RunnerException;

@DisplayName("JMH runs what one thread does in one process")
class JmhTest {
  private static final String NO_SERVER = "redis://127.0.0.1:1";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Figures figures = new Figures(new PrintStream(out, true, StandardCharsets.UTF_8));

  @Test
  @DisplayName("In a JVM of its own, which has the class path of this one")
  void jvm() throws Exception {
    Map<String, Double> means = Jmh.means(PairInMemory.class, NO_SERVER, Effort.BRIEF, 1, figures);
    assertEquals(Set.of("pair"), means.keySet());
    String printed = out.toString(StandardCharsets.UTF_8);
    assertTrue(printed.startsWith("  PairInMemory.pair: "), printed);
  }

  @Test
  @DisplayName("A benchmark that fails is an error, not a figure that is missing")
  void failure() {
    assertThrows(
        RunnerException.class,
        () -> Jmh.means(HeldLock.class, NO_SERVER, Effort.BRIEF, 0, figures));
  }
}
