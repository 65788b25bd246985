package dev.leasehold.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Temporary folders and processes that are gone when the JVM is, however it ends, but for kill -9.
 */
final class Folders {
  private static final Set<Path> FOLDERS = ConcurrentHashMap.newKeySet();
  private static final Set<Process> PROCESSES = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Folders::cleanUp, "leasehold-clean-up"));
  }

  private Folders() {}

  static Path create(String prefix) throws IOException {
    Path folder = Files.createTempDirectory(prefix);
    FOLDERS.add(folder);
    return folder;
  }

  static void remember(Process process) {
    PROCESSES.add(process);
    process.onExit().thenAccept(PROCESSES::remove);
  }

  static void delete(Path folder) {
    FOLDERS.remove(folder);
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void cleanUp() {
    for (Process process : PROCESSES) {
      process.destroyForcibly();
      process.onExit().join();
    }
    FOLDERS.forEach(Folders::delete);
  }
}
