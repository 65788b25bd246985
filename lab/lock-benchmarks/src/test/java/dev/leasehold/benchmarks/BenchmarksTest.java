package dev.leasehold.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The benchmarks run; what they measure is not looked at")
class BenchmarksTest {
  @Test
  @DisplayName("Each group prints its ratios, each on a line of its own")
  void ratios() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Benchmarks.run(List.of("--brief"), new PrintStream(out, true, StandardCharsets.UTF_8));
    String printed = out.toString(StandardCharsets.UTF_8);
    Map<String, Long> ratios =
        printed
            .lines()
            .filter(line -> line.matches("ratio \\S.* \\d+\\.\\d{3} [<>]=\\d+\\.?\\d* \\S.*"))
            .collect(Collectors.groupingBy(line -> line.split(" ")[1], Collectors.counting()));
    assertEquals(
        Map.of("pair", 4L, "keys", 4L, "threads", 4L, "processes", 3L, "kinds", 16L),
        ratios,
        () -> printed);
  }

  @Test
  @DisplayName("A word that is no group is told, with those that are")
  void unknown() {
    IllegalArgumentException told =
        assertThrows(
            IllegalArgumentException.class, () -> Benchmarks.run(List.of("pairs"), System.out));
    assertTrue(
        told.getMessage()
            .startsWith("pairs is no group: give [pair, keys, threads, processes, kinds]"),
        told::getMessage);
  }
}
