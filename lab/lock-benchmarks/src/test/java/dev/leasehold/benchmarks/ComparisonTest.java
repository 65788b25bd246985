package dev.leasehold.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Two commits are compared by the medians of their turns")
class ComparisonTest {
  private static final List<Double> STEADY = List.of(1.00, 1.01, 0.99, 1.00, 1.00);
  private static final List<Double> SLOWER = List.of(1.10, 1.11, 1.09, 1.10, 1.10);
  private static final List<Double> RESTLESS = List.of(1.00, 1.30, 0.70, 1.20, 0.80);

  @TempDir private Path folder;

  @Test
  @DisplayName("A larger ratio is worse under an upper bound, and better above a lower one")
  void directions() {
    assertEquals(Comparison.Change.WORSE, Comparison.change(STEADY, SLOWER, true));
    assertEquals(Comparison.Change.BETTER, Comparison.change(STEADY, SLOWER, false));
    assertEquals(Comparison.Change.BETTER, Comparison.change(SLOWER, STEADY, true));
    assertEquals(Comparison.Change.WORSE, Comparison.change(SLOWER, STEADY, false));
  }

  @Test
  @DisplayName("A change within the spread of either commit's turns is none, and so is a small one")
  void noise() {
    assertEquals(Comparison.Change.NONE, Comparison.change(RESTLESS, SLOWER, true));
    assertEquals(Comparison.Change.NONE, Comparison.change(SLOWER, RESTLESS, true));
    assertEquals(Comparison.Change.NONE, Comparison.change(STEADY, List.of(1.02), true));
  }

  @Test
  @DisplayName("Ratios are distinguished by their conditions, and one outlier changes nothing")
  void table() throws IOException {
    turn("old", 1, 1.5, 0.9);
    turn("old", 2, 1.5, 0.9);
    turn("old", 3, 9.9, 0.9);
    turn("new", 1, 1.5, 0.6);
    turn("new", 2, 0.1, 0.6);
    turn("new", 3, 1.5, 0.6);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    assertTrue(Comparison.print(folder.resolve("old"), folder.resolve("new"), to));
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertEquals(3, lines.size(), lines::toString);
    assertTrue(
        lines.get(1).matches(" +1\\.500 +1\\.500 +\\+0\\.0% .* - +keys ours us, 8 threads"),
        lines.get(1));
    assertTrue(
        lines.get(2).matches(" +0\\.900 +0\\.600 +-33\\.3% .* WORSE +keys ours us, 64 threads"),
        lines.get(2));
    assertFalse(Comparison.print(folder.resolve("old"), folder.resolve("old"), to));
  }

  private void turn(String side, int turn, double few, double many) throws IOException {
    Path file = Files.createDirectories(folder.resolve(side)).resolve(turn + ".txt");
    Files.writeString(
        file,
        "Redis 7.0.15, JDK 17, 2 processors\n"
            + ("ratio keys ours us " + few + "00 <=1.08 8 threads\n")
            + ("ratio keys ours us " + many + "00 >=0.50 64 threads\n"));
  }
}
