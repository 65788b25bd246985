package dev.leasehold.redlock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A text replacement in a production file.
 *
 * @param file path from the project's root
 * @param from text that occurs in it exactly once
 * @param to its replacement
 */
record Edit(String file, String from, String to) {
  private static final String JAVA = "/src/main/java/";
  private static final String RESOURCES = "/src/main/resources/";

  /** The paths of all production files from the project's root, by module; they don't change. */
  private static final Map<String, List<Path>> FILES = new ConcurrentHashMap<>();

  /**
   * An edit of the production file of this name in a module: "lock-api/Majority.java".
   *
   * @throws IllegalArgumentException if there is none, or several
   */
  static Edit in(String place, String from, String to) {
    String[] words = place.split("/");
    List<Path> files =
        words.length != 2
            ? List.of()
            : FILES.computeIfAbsent(words[0], Edit::files).stream()
                .filter(file -> file.endsWith(words[1]))
                .toList();
    if (files.size() != 1) {
      throw new IllegalArgumentException("must be module/File of one file, and is of " + files);
    }
    return new Edit(files.get(0).toString(), from, to);
  }

  private static List<Path> files(String module) {
    Path sources = root().resolve(module).resolve("src/main");
    if (!Files.isDirectory(sources)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files.filter(Files::isRegularFile).map(root()::relativize).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(module, e);
    }
  }

  /**
   * The file's text after the edit.
   *
   * @throws IllegalStateException if {@code from} does not occur exactly once
   */
  String applied(String text) {
    int at = text.indexOf(from);
    if (at < 0 || text.indexOf(from, at + 1) >= 0) {
      throw new IllegalStateException(file + " does not have once: " + from);
    }
    return text.replace(from, to);
  }

  String shipped() {
    try {
      return Files.readString(root().resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  boolean isJava() {
    return file.endsWith(".java");
  }

  /** The name of the resource for a class loader; for sources, without the extension. */
  String resource() {
    return isJava()
        ? file.substring(file.indexOf(JAVA) + JAVA.length(), file.length() - ".java".length())
        : file.substring(file.indexOf(RESOURCES) + RESOURCES.length());
  }

  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isRegularFile(folder.resolve("lock-api/pom.xml"))) {
      folder = folder.getParent();
    }
    return folder;
  }
}
