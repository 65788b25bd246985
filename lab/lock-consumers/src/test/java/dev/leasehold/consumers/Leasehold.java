package dev.leasehold.consumers;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A copy of the sources, as just fetched, and the local repository that it is installed into.
 *
 * @param root where the copy is
 * @param repository Maven's local repository
 */
record Leasehold(Path root, Path repository) {
  private static final Set<String> NOT_COPIED = Set.of("target", "node_modules");

  /** How Maven runs here: a fetched copy of the sources has it too. */
  private static final String MAVENS_OWN = ".mvn";

  /** Where Maven is that runs us. */
  static final String MAVEN = System.getProperty("consumers.maven");

  /** Copies the sources that this test belongs to. */
  static Leasehold copy(Path root, Path repository) throws IOException {
    Path from = Path.of("../..").toRealPath();
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            String name = folder.getFileName().toString();
            boolean hidden = name.startsWith(".") && !name.equals(MAVENS_OWN);
            if (!folder.equals(from) && (NOT_COPIED.contains(name) || hidden)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(root.resolve(from.relativize(folder)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(file, root.resolve(from.relativize(file)));
            return FileVisitResult.CONTINUE;
          }
        });
    return new Leasehold(root, repository);
  }

  /** Runs Maven on the repository. */
  Command maven(Path folder, String... arguments) throws IOException, InterruptedException {
    return maven(folder, Map.of(), arguments);
  }

  /** The same with more in its environment. */
  Command maven(Path folder, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(MAVEN, "-q", "-B", "-ntp", "-Dmaven.repo.local=" + repository));
    command.addAll(List.of(arguments));
    return Command.run(folder, environment, command);
  }

  /** The jars that a module was built and tested with, and its own, by their names. */
  Set<String> built(String module) throws IOException {
    Path folder =
        Stream.of("", "integrations", "lab")
            .map(parent -> root.resolve(parent).resolve(module))
            .filter(Files::isDirectory)
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no module " + module));
    Set<String> names = names(Files.readString(folder.resolve("target/runtime-path.txt")));
    names.add(module + "-" + version() + ".jar");
    return names;
  }

  private static String version() {
    return "0.1.0-SNAPSHOT";
  }

  /** The names of a class path's jars. */
  static Set<String> names(String path) {
    Set<String> names = new TreeSet<>();
    Stream.of(path.strip().split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .forEach(entry -> names.add(Path.of(entry).getFileName().toString()));
    return names;
  }
}
