package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** With {@code -Dsizes.update}, writes the table instead of comparing it. */
@DisplayName("The table of sizes is so, to a fifth")
class SizesIT {
  private static final String BEGIN = "<!-- sizes:begin -->\n";
  private static final String END = "<!-- sizes:end -->";
  private static final double TOLERANCE = 0.2;
  private static final int KILOBYTE = 1000;

  /** The tolerance for small sizes, in kilobytes. */
  private static final int LEAST = 3;

  private static final Pattern VERSION = Pattern.compile("-\\d[\\w.]*(?:-[\\w.]+)*\\.jar$");
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  @Test
  @DisplayName("Each module's jar, its dependencies, and their total size")
  void table() throws IOException {
    Path page = Repository.root().resolve("docs/modules.md");
    String text = Files.readString(page);
    int begin = text.indexOf(BEGIN) + BEGIN.length();
    int end = text.indexOf(END);
    assertTrue(begin >= BEGIN.length() && end >= begin, "the page has its marks");
    List<String> rows = new ArrayList<>();
    for (String module : Jars.published()) {
      rows.add(row(module));
    }
    if (System.getProperty("sizes.update") != null) {
      String head = "| Module | Jar | Brings | All together |\n|---|---|---|---|\n";
      String table = head + String.join("\n", rows) + "\n";
      Files.writeString(page, text.substring(0, begin) + table + text.substring(end));
      return;
    }
    List<String> written =
        text.substring(begin, end).lines().filter(line -> line.startsWith("| `")).toList();
    assertEquals(rows.size(), written.size(), "write it with: mvn verify -Dsizes.update");
    for (int i = 0; i < rows.size(); i++) {
      assertTrue(
          agrees(written.get(i), rows.get(i)),
          written.get(i) + "\nis now\n" + rows.get(i) + "\nwrite it with: -Dsizes.update");
    }
  }

  @Test
  @DisplayName("A size that is off, or a dependency that is new, is found")
  void canFail() {
    assertTrue(agrees("| `a` | 100 KB | x | 200 KB |", "| `a` | 119 KB | x | 161 KB |"));
    assertTrue(agrees("| `a` | 4 KB | x | 7 KB |", "| `a` | 6 KB | x | 9 KB |"));
    assertFalse(agrees("| `a` | 100 KB | x | 200 KB |", "| `a` | 121 KB | x | 200 KB |"));
    assertFalse(agrees("| `a` | 100 KB | x | 200 KB |", "| `a` | 100 KB | x, y | 200 KB |"));
    assertEquals("a-b2", nameOf(Path.of("/r/a-b2-1.0.0-beta2.jar")));
    assertEquals("lock-api", nameOf(Path.of("/r/lock-api-0.1.0-SNAPSHOT.jar")));
  }

  private static String row(String module) throws IOException {
    long all = 0;
    List<Path> path = Jars.runtimePath(module);
    for (Path jar : path) {
      all += Files.size(jar);
    }
    String brings =
        path.stream().skip(1).map(SizesIT::nameOf).sorted().collect(Collectors.joining(", "));
    return "| `%s` | %s | %s | %s |"
        .formatted(
            module,
            kilobytes(Files.size(Jars.jar(module))),
            brings.isEmpty() ? "nothing" : brings,
            kilobytes(all));
  }

  private static String kilobytes(long bytes) {
    return Math.round((double) bytes / KILOBYTE) + " KB";
  }

  static String nameOf(Path jar) {
    return VERSION.matcher(jar.getFileName().toString()).replaceFirst("");
  }

  /** Whether two rows agree, with tolerance for sizes. */
  static boolean agrees(String written, String actual) {
    List<String> cells = List.of(written.split(" \\| "));
    List<String> now = List.of(actual.split(" \\| "));
    if (cells.size() != now.size() || !cells.get(0).equals(now.get(0))) {
      return false;
    }
    return cells.get(2).equals(now.get(2))
        && isClose(cells.get(1), now.get(1))
        && isClose(cells.get(3), now.get(3));
  }

  private static boolean isClose(String one, String other) {
    long a = number(one);
    long b = number(other);
    return Math.abs(a - b) <= Math.max(LEAST, a * TOLERANCE);
  }

  private static long number(String cell) {
    Matcher m = NUMBER.matcher(cell);
    return m.find() ? Long.parseLong(m.group()) : -1;
  }
}
