package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import dev.leasehold.examples.demo.CommandOnRedis;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("mvn -Prun")
class CommandOnRedisIT {

  private record Said(int code, String out) {}

  private static Said by(String... words) throws Exception {
    Path command =
        Repository.root().resolve("integrations/lock-cli/target/leasehold/leasehold.jar");
    assertTrue(Files.exists(command), "run by mvn verify, which packages the jars first");
    List<String> all =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path") + File.pathSeparator + command,
                CommandOnRedis.class.getName()));
    all.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(all);
    builder.environment().keySet().removeIf(name -> name.startsWith("LEASEHOLD_"));
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), out);
  }

  @Test
  @DisplayName("starts its own Redis, and exits with the command's exit code")
  void embedded() throws Exception {
    Said token = by("run", "hello", "--", "printenv", "LEASEHOLD_TOKEN");
    assertEquals(0, token.code());
    assertTrue(token.out().matches("\\d{16}\\R"), token.out());
    assertEquals(7, by("run", "hello", "--", "sh", "-c", "exit 7").code());
  }

  @Test
  @DisplayName("takes a server that is named")
  void named() throws Exception {
    assertEquals(69, by("ls", "--redis", "redis://127.0.0.1:1").code());
  }
}
