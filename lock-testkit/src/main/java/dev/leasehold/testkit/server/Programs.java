package dev.leasehold.testkit.server;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Finds programs on the PATH. */
final class Programs {
  private Programs() {}

  /** The first of these names that is an executable on the PATH. */
  static Optional<Path> find(List<String> names) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return names.stream()
        .flatMap(
            name ->
                Arrays.stream(path.split(File.pathSeparator))
                    .filter(folder -> !folder.isEmpty())
                    .map(folder -> Path.of(folder).resolve(name)))
        .filter(Files::isExecutable)
        .filter(Files::isRegularFile)
        .findFirst();
  }
}
