package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The kit's suite runs on JUnit 6 too")
class Junit6IT {
  private static final String SUITE = "dev.leasehold.testkit.MapConformanceTest";

  /** Enough to exercise the kit's use of JUnit; testing locks is up to the other runs. */
  private static final String RULES = "EX-.*,RL-.*,RE-.*,IN-.*,LC-.*";

  private static final long MOST_SECONDS = 150;

  @TempDir Path folder;

  @Test
  @DisplayName("A conformance class passes there, compiled against JUnit 5 and unchanged")
  void suite() throws Exception {
    List<Path> path = new ArrayList<>();
    path.add(
        Repository.folder("lock-examples")
            .resolve("target/junit6/junit-platform-console-standalone.jar"));
    path.add(Repository.folder("lock-testkit").resolve("target/test-classes"));
    Jars.runtimePath("lock-testkit").stream().filter(jar -> !isJunit5(jar)).forEach(path::add);
    String output = launch(path);
    assertTrue(count(output, "tests successful") > 5, output);
    assertEquals(0, count(output, "tests failed"), output);
    assertEquals(0, count(output, "containers failed"), output);
  }

  private static boolean isJunit5(Path jar) {
    String name = jar.getFileName().toString();
    return name.startsWith("junit-") || name.startsWith("opentest4j-");
  }

  private String launch(List<Path> path) throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dleasehold.rules=" + RULES,
                "-cp",
                path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                "org.junit.platform.console.ConsoleLauncher",
                "execute",
                "--disable-banner",
                "--disable-ansi-colors",
                "--details=tree",
                "--fail-if-no-tests",
                "--select-class=" + SUITE)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
      String text = Files.readString(output);
      assertTrue(ended, () -> "still running after " + MOST_SECONDS + " s\n" + text);
      assertEquals(0, process.exitValue(), text);
      return text;
    } finally {
      process.destroyForcibly();
    }
  }

  private static int count(String output, String what) {
    Matcher m = Pattern.compile("\\[\\s*(\\d+) " + what).matcher(output);
    assertTrue(m.find(), output);
    return Integer.parseInt(m.group(1));
  }
}
