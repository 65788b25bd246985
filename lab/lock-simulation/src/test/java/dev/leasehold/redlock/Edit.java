package dev.leasehold.redlock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Other words in a file of what ships.
 *
 * @param file from the project's folder
 * @param from what it has exactly once
 * @param to what stands there instead
 */
record Edit(String file, String from, String to) {
  private static final String JAVA = "/src/main/java/";
  private static final String RESOURCES = "/src/main/resources/";

  /**
   * The file as a mutant has it.
   *
   * @throws IllegalStateException if it does not have the words, or has them twice
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

  /** As a class loader knows it: of a source, without its ending. */
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
