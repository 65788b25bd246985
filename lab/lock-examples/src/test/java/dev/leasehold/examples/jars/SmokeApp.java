package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An application as users write them: a module of its own, compiled and started with the jars of
 * this build.
 */
final class SmokeApp {
  private static final long MOST_SECONDS = 60;

  /** How its jars are put on the path. */
  enum Launch {
    MODULE_PATH,
    CLASS_PATH
  }

  /**
   * The result of a run.
   *
   * @param status exit status
   * @param output standard output
   * @param errors standard error
   */
  record Outcome(int status, String output, String errors) {}

  private final Path classes;

  private SmokeApp(Path classes) {
    this.classes = classes;
  }

  /**
   * Compiles the module {@code leasehold.smoke}.
   *
   * @param module its descriptor
   * @param main its class {@code leasehold.smoke.Main}
   * @param jars the jars to compile with
   */
  static SmokeApp compiledIn(Path folder, String module, String main, List<Path> jars)
      throws IOException {
    Path sources = Files.createDirectories(folder.resolve("sources/leasehold/smoke"));
    Path mainFile = Files.writeString(sources.resolve("Main.java"), main);
    Path info = Files.writeString(folder.resolve("sources/module-info.java"), module);
    Path classes = folder.resolve("classes");
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out, true);
    int status =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                writer,
                writer,
                "--release",
                "17",
                "-p",
                path(jars),
                "-d",
                classes.toString(),
                info.toString(),
                mainFile.toString());
    assertEquals(0, status, out::toString);
    return new SmokeApp(classes);
  }

  /** Adds a file next to the classes. */
  SmokeApp with(String name, String text) throws IOException {
    Files.writeString(classes.resolve(name), text);
    return this;
  }

  private static String path(List<Path> jars) {
    return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** Runs it in a new JVM of the JDK that runs the test. */
  Outcome run(Launch launch, List<Path> jars, List<String> arguments)
      throws IOException, InterruptedException {
    return run(Path.of(System.getProperty("java.home")), launch, jars, arguments);
  }

  /** The same with another JDK, or an image made by {@code jlink}. */
  Outcome run(Path home, Launch launch, List<Path> jars, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // it runs only briefly
    String path = path(Stream.concat(jars.stream(), Stream.of(classes)).toList());
    switch (launch) {
      case MODULE_PATH ->
          command.addAll(List.of("-p", path, "-m", "leasehold.smoke/leasehold.smoke.Main"));
      case CLASS_PATH -> command.addAll(List.of("-cp", path, "leasehold.smoke.Main"));
    }
    command.addAll(arguments);
    Path output = Files.createTempFile(classes.getParent(), "smoke", ".out");
    Path errors = Files.createTempFile(classes.getParent(), "smoke", ".err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
      assertTrue(ended, () -> "still running after " + MOST_SECONDS + " s: " + command);
      return new Outcome(process.exitValue(), Files.readString(output), Files.readString(errors));
    } finally {
      process.destroyForcibly();
    }
  }
}
