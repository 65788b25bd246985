package dev.leasehold.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where this project's files are, seen from a test. */
public final class Repository {
  private Repository() {}

  /** The folder of the parent pom. */
  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null) {
      if (Files.isRegularFile(folder.resolve("lock-api").resolve("pom.xml"))) {
        return folder;
      }
      folder = folder.getParent();
    }
    throw new IllegalStateException("not inside the project: " + Path.of("").toAbsolutePath());
  }

  /** The names of the modules' folders, in the order of the alphabet. */
  public static List<String> modules() {
    try (Stream<Path> children = Files.list(root())) {
      return children
          .filter(child -> Files.isRegularFile(child.resolve("pom.xml")))
          .map(child -> child.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All Java files of the main code of a module. */
  public static List<Path> mainSources(String module) {
    Path folder = root().resolve(module).resolve("src/main/java");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The pages in Markdown: the README, and those of the modules. */
  public static List<Path> pages() {
    try (Stream<Path> files = Files.find(root(), 2, (f, a) -> f.toString().endsWith(".md"))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
