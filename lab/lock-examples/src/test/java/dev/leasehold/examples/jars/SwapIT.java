package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.NewNodes;
import dev.leasehold.examples.cases.DropIn;
import dev.leasehold.testkit.server.ServerGroup;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same class of the examples, run on the class path with each backend's jar, its dependencies
 * and nothing else. The environment is the same for all, like a deployment that stays unchanged.
 */
@DisplayName("An example runs on each backend: swapping it is changing one dependency")
class SwapIT {
  private static final String TILL = DropIn.class.getName() + "$Till";
  private static final int STOCK = 20;
  private static final long MOST_SECONDS = 60;

  @TempDir private Path folder;

  static List<String> backends() {
    return Jars.backends();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("backends")
  @DisplayName("Two tills sell what is in stock, together")
  void sells(String module) throws Exception {
    Path stock = Files.writeString(folder.resolve("stock"), Integer.toString(STOCK));
    List<Process> tills = new ArrayList<>();
    try (ServerGroup servers = NewNodes.three()) {
      tills.add(start(module, servers, stock));
      tills.add(start(module, servers, stock));
      List<BufferedReader> lines = new ArrayList<>();
      for (Process till : tills) {
        lines.add(till.inputReader(StandardCharsets.UTF_8));
        assertEquals("ready", lines.get(lines.size() - 1).readLine(), this::errors);
      }
      for (Process till : tills) {
        till.outputWriter(StandardCharsets.UTF_8).append('\n').flush();
      }
      int sold = 0;
      for (BufferedReader each : lines) {
        sold += Integer.parseInt(String.valueOf(each.readLine()));
      }
      assertEquals(STOCK, sold, this::errors);
      for (Process till : tills) {
        assertTrue(till.waitFor(MOST_SECONDS, TimeUnit.SECONDS), "it ends");
        assertEquals(0, till.exitValue(), this::errors);
      }
    } finally {
      tills.forEach(Process::destroyForcibly);
    }
  }

  private Process start(String module, ServerGroup servers, Path stock) throws IOException {
    String path =
        Stream.concat(Stream.of(Jars.jar("lock-examples")), Jars.runtimePath(module).stream())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    ProcessBuilder till =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            path,
            TILL,
            stock.toString(),
            "GUARDED");
    till.environment().put("LOCK_REDIS_URI", servers.servers().get(0).uri());
    till.environment().put("LOCK_REDLOCK_NODES", servers.uri());
    till.redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("errors").toFile()));
    return till.start();
  }

  private String errors() {
    try {
      return Files.readString(folder.resolve("errors"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
