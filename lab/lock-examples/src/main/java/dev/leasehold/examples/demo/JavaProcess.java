package dev.leasehold.examples.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM with this one's class path, which starts fast. Stateless. */
final class JavaProcess {
  /** The command's class, which only the profile {@code run} has on the path. */
  static final String LEASEHOLD = "dev.leasehold.cli.Main";

  private JavaProcess() {}

  static ProcessBuilder of(String main, List<String> arguments) {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main));
    words.addAll(arguments);
    return new ProcessBuilder(words);
  }
}
