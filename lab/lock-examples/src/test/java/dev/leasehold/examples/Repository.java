package dev.leasehold.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Locates the project's files for tests. */
public final class Repository {
  /** Folders that contain no modules or pages. */
  private static final Set<String> NOT_OURS = Set.of("target", "node_modules", "src");

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

  /** The modules, by folder name, in alphabetical order. */
  public static List<String> modules() {
    return folders().stream().map(folder -> folder.getFileName().toString()).sorted().toList();
  }

  /** A module's folder, at the top or in {@code integrations} or {@code lab}. */
  public static Path folder(String module) {
    return folders().stream()
        .filter(folder -> folder.endsWith(module))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no module " + module));
  }

  /** The folder of each module: every folder with a pom, except the root. */
  public static List<Path> folders() {
    return found(3, "pom.xml").stream()
        .map(Path::getParent)
        .filter(folder -> !folder.equals(root()))
        .toList();
  }

  /** All Java files of a module's main code. */
  public static List<Path> mainSources(String module) {
    return sources(module, "src/main/java");
  }

  /** All Java files of a module, with its tests. */
  public static List<Path> allSources(String module) {
    return sources(module, "src");
  }

  private static List<Path> sources(String module, String below) {
    Path folder = folder(module).resolve(below);
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The Markdown pages: the README, those of the modules, and {@code docs}. */
  public static List<Path> pages() {
    return found(Integer.MAX_VALUE, ".md");
  }

  private static List<Path> found(int depth, String end) {
    List<Path> found = new ArrayList<>();
    FileVisitor<Path> visitor =
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean ours = !NOT_OURS.contains(name) && !name.startsWith(".");
            return ours || folder.equals(root())
                ? FileVisitResult.CONTINUE
                : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.getFileName().toString().endsWith(end)) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        };
    try {
      Files.walkFileTree(root(), Set.of(), depth, visitor);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.stream().sorted().toList();
  }
}
