package dev.leasehold.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
  @DisplayName("While another JMH runs on the machine")
  void locked() throws Exception {
    Path file = Path.of(System.getProperty("java.io.tmpdir"), "jmh.lock");
    try (FileChannel other =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = other.tryLock()) {
      assertTrue(lock == null || lock.isValid(), "null if another JMH runs indeed");
      assertEquals(
          Set.of("pair"),
          Jmh.means(PairInMemory.class, NO_SERVER, Effort.BRIEF, 0, figures).keySet());
    }
  }

  @Test
  @DisplayName("A benchmark that fails is an error, not a figure that is missing")
  void failure() {
    RunnerException failure =
        assertThrows(
            RunnerException.class,
            () -> Jmh.means(HeldLock.class, NO_SERVER, Effort.BRIEF, 0, figures));
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    assertTrue(trace.toString().contains("127.0.0.1"), trace::toString);
    assertTrue(trace.toString().contains(HeldLock.class.getName() + ".take("), trace::toString);
  }
}
