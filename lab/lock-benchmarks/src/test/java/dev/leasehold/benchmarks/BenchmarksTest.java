package dev.leasehold.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The benchmarks run; their results are not checked")
class BenchmarksTest {
  @Test
  @DisplayName("Each group prints its ratios, one per line, and points for pictures")
  void ratios(@TempDir Path folder) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Benchmarks.run(List.of("--brief"), new PrintStream(out, true, StandardCharsets.UTF_8));
    String printed = out.toString(StandardCharsets.UTF_8);
    boolean etcd = EtcdSubject.installed().isPresent();
    assertEquals(!etcd, printed.contains("  etcd is left out: no etcd on the PATH"), printed);
    Map<String, Long> ratios =
        printed
            .lines()
            .filter(line -> line.matches("ratio \\S.* \\d+\\.\\d{3} [<>]=\\d+\\.?\\d* \\S.*"))
            .collect(Collectors.groupingBy(line -> line.split(" ")[1], Collectors.counting()));
    assertEquals(
        Map.ofEntries(
            Map.entry("pair", 4L),
            Map.entry("awake", 4L),
            Map.entry("keys", 4L),
            Map.entry("latency", 1L),
            Map.entry("threads", 2L),
            Map.entry("processes", 3L),
            Map.entry("kinds", 16L),
            Map.entry("quorum", 2L),
            Map.entry("replicas", 8L),
            Map.entry("held", 3L),
            Map.entry("cluster", 1L),
            Map.entry("fleet", 1L),
            Map.entry("wake", 4L),
            Map.entry("async", 2L),
            Map.entry("linger", 2L),
            Map.entry("reentry", 2L),
            Map.entry("engine", 1L),
            // All but etcd come from Maven.
            Map.entry("peers", etcd ? 4L : 3L)),
        ratios,
        () -> printed);
    List<Path> pictures = Pictures.draw(printed.lines().toList(), folder);
    // A restart of the server is only simulated.
    assertEquals(2 * (Picture.values().length - 1), pictures.size());
    for (Path picture : pictures) {
      assertTrue(Files.readString(picture).contains("<svg"), picture::toString);
    }
  }

  @Test
  @DisplayName("An unknown group is reported, with the known ones")
  void unknown() {
    IllegalArgumentException told =
        assertThrows(
            IllegalArgumentException.class, () -> Benchmarks.run(List.of("pairs"), System.out));
    assertTrue(
        told.getMessage()
            .startsWith("pairs is no group: give [pair, awake, latency, keys, threads, processes,"),
        told::getMessage);
  }
}
