package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("jlink")
class JlinkIT {
  @TempDir Path folder;

  static String link(Path image, List<Path> path, String module) {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out, true);
    ToolProvider.findFirst("jlink")
        .orElseThrow()
        .run(
            writer,
            writer,
            "--module-path",
            String.join(java.io.File.pathSeparator, path.stream().map(Path::toString).toList()),
            "--add-modules",
            module,
            "--output",
            image.toString());
    return out.toString();
  }

  @Test
  @DisplayName("makes an image of lock-api, which starts with its module")
  void imageOfTheApi() throws Exception {
    Path image = folder.resolve("image");
    assertEquals("", link(image, List.of(Jars.jar("lock-api")), "dev.leasehold.lock"));
    String java = image.resolve("bin/java").toString();
    String says = run(java, "--describe-module", "dev.leasehold.lock");
    assertTrue(says.contains("exports dev.leasehold.lock"), says);
    String app = FlightApp.class.getName();
    assertEquals("locked, no jdk.jfr\n", run(java, "-cp", classes(), app));
  }

  @Test
  @DisplayName("is not needed for flight recordings: they have locks of the module path, too")
  void recording() throws Exception {
    Path file = folder.resolve("locks.jfr");
    String says =
        run(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // The plus is needed because no profile of the JDK has this setting. Without it, holds
            // of 10 ms are recorded.
            "-XX:StartFlightRecording:+dev.leasehold.Hold#threshold=0ms,filename=" + file,
            "-Xlog:disable",
            "-p",
            Jars.jar("lock-api").toString(),
            "--add-modules",
            "dev.leasehold.lock",
            "-cp",
            classes(),
            FlightApp.class.getName());
    assertTrue(says.contains("locked, jdk.jfr"), says);
    assertTrue(
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("dev.leasehold.Hold"))
            .anyMatch(event -> event.getString("lock").equals("flight")),
        "no hold in the recording");
  }

  /** The folder of this class and of the application next to it. */
  private static String classes() throws Exception {
    return Path.of(FlightApp.class.getProtectionDomain().getCodeSource().getLocation().toURI())
        .toString();
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String says = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), says);
    return says;
  }

  @ParameterizedTest
  @CsvSource({
    "lock-redis-setnx, redis.clients.jedis",
    "lock-redis-set, lettuce.core",
    "lock-redisson-adapter, redisson",
    "lock-guice, com.google.guice",
    "lock-guice, typesafe.config"
  })
  @DisplayName("refuses the automatic modules that the page of lock-guice names")
  void automaticModules(String jar, String module) throws Exception {
    // Linked on its own: its dependencies include further automatic modules, and jlink names only
    // one.
    ModuleFinder all = ModuleFinder.of(Jars.runtimePath(jar).toArray(Path[]::new));
    Path alone = Path.of(all.find(module).orElseThrow().location().orElseThrow());
    String says = link(folder.resolve("none"), List.of(alone), module);
    assertTrue(says.contains("automatic module cannot be used with jlink: " + module), says);
  }
}
