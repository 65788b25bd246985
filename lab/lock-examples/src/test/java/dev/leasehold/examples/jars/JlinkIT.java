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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("jlink")
class JlinkIT {
  @TempDir Path folder;

  private String link(Path image, List<Path> path, String module) {
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
    Process java =
        new ProcessBuilder(
                image.resolve("bin/java").toString(), "--describe-module", "dev.leasehold.lock")
            .redirectErrorStream(true)
            .start();
    String says = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, java.waitFor(), says);
    assertTrue(says.contains("exports dev.leasehold.lock"), says);
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
    // By itself: among what these need there are more of the kind, and jlink names one.
    ModuleFinder all = ModuleFinder.of(Jars.runtimePath(jar).toArray(Path[]::new));
    Path alone = Path.of(all.find(module).orElseThrow().location().orElseThrow());
    String says = link(folder.resolve("none"), List.of(alone), module);
    assertTrue(says.contains("automatic module cannot be used with jlink: " + module), says);
  }
}
