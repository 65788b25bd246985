package dev.leasehold.testkit.server;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Without an optional jar")
class MissingJarsTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "embedded, embedded-redis, com.github.codemonstur:embedded-redis",
    "testcontainers, testcontainers, org.testcontainers:testcontainers"
  })
  @DisplayName("the error names the dependency to add, and the alternatives")
  void error(String kind, String jar, String dependency) {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith(jar))
            .collect(Collectors.joining(File.pathSeparator));
    OsCommands.Result result =
        OsCommands.run(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-D" + RedisServers.PROPERTY + "=" + kind,
                "-cp",
                classPath,
                Start.class.getName()));
    assertNotEquals(0, result.status());
    assertTrue(result.output().contains(dependency), result.output());
    assertTrue(result.output().contains("redis://host:port"), result.output());
  }

  /** Starts a server. */
  static final class Start {
    public static void main(String[] args) {
      RedisServers.start().close();
    }
  }
}
