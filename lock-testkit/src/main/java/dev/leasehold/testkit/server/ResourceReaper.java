package dev.leasehold.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Leaves no processes or files behind. All files are below one folder of this JVM. When the JVM
 * ends, its servers are killed and the folder is deleted. If the JVM is killed, the next one cleans
 * up: it finds the folder's lock free.
 */
public final class ResourceReaper {
  private static final String PREFIX = "leasehold-";
  private static final String PROCESS = "process";
  private static final String LOCK = "owner.lock";
  private static final Set<Process> PROCESSES = ConcurrentHashMap.newKeySet();
  private static final Map<String, Path> ROOTS = new ConcurrentHashMap<>();

  /** Strong references: a collected channel is closed and releases its lock. */
  private static final Set<FileChannel> HELD = ConcurrentHashMap.newKeySet();

  private ResourceReaper() {}

  /** The folder of this JVM, created at first use. */
  private static Path open(String temporary) {
    try {
      Path temp = Path.of(temporary).toRealPath();
      sweep(temp);
      Path root = owned(temp);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(root), "leasehold-reaper"));
      return root;
    } catch (IOException e) {
      throw new ServerException(
          "No folder for servers can be made in java.io.tmpdir, " + temporary, e);
    }
  }

  /**
   * A new folder with a lock that is held until the JVM ends in any way. Another JVM's sweep may
   * see the lock just before it is taken, and then deletes the folder.
   */
  private static Path owned(Path temp) throws IOException {
    while (true) {
      Path root = Files.createTempDirectory(temp, PREFIX);
      Path lock = root.resolve(LOCK);
      FileChannel channel =
          FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.tryLock() != null && Files.exists(lock)) {
        HELD.add(channel);
        return root;
      }
      channel.close();
    }
  }

  /** A new empty folder, deleted when this JVM ends, or by a later JVM if this one is killed. */
  public static Path directory(String purpose) {
    return directory(System.getProperty("java.io.tmpdir", "/tmp"), purpose);
  }

  /** A new empty folder below {@code temporary}. */
  static Path directory(String temporary, String purpose) {
    Path root = ROOTS.computeIfAbsent(temporary, ResourceReaper::open);
    try {
      return Files.createTempDirectory(root, purpose);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Kills the process when the JVM ends, if it is still running.
   *
   * @param folder the process's folder, in which a note for the next JVM is left
   */
  static void track(Process process, Path folder) throws IOException {
    PROCESSES.add(process);
    Files.writeString(folder.resolve(PROCESS), process.pid() + " " + started(process.toHandle()));
  }

  /** Kills the process and waits until it is gone. */
  static void kill(Process process) {
    // Children of a wrapper script first: they could not be found without it.
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    boolean interrupted = false;
    while (true) {
      try {
        if (process.waitFor(10, TimeUnit.SECONDS)) {
          PROCESSES.remove(process);
          break;
        }
        throw new ServerException("Process " + process.pid() + " is still there after kill -9");
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Deletes a folder recursively. A file that another process deletes meanwhile is ignored. */
  public static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void end(Path root) {
    for (Process process : List.copyOf(PROCESSES)) {
      kill(process);
    }
    delete(root);
  }

  /** Cleans up after killed JVMs. Whatever cannot be deleted is left. */
  private static void sweep(Path temp) throws IOException {
    try (DirectoryStream<Path> roots = Files.newDirectoryStream(temp, PREFIX + "*")) {
      for (Path root : roots) {
        Path lock = root.resolve(LOCK);
        if (Files.isWritable(lock)) {
          try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
              FileLock mine = channel.tryLock()) {
            if (mine != null) {
              killThoseIn(root);
              delete(root);
            }
          } catch (IOException | UncheckedIOException | OverlappingFileLockException e) {
            System.getLogger(ResourceReaper.class.getName())
                .log(System.Logger.Level.DEBUG, "Not cleaned up: " + root, e);
          }
        }
      }
    }
  }

  private static void killThoseIn(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root, 2)) {
      for (Path file : files.filter(f -> f.endsWith(PROCESS)).toList()) {
        String[] words = Files.readString(file).split(" ", 2);
        ProcessHandle.of(Long.parseLong(words[0]))
            .filter(process -> started(process).equals(words[1]))
            .ifPresent(
                process -> {
                  process.descendants().forEach(ProcessHandle::destroyForcibly);
                  process.destroyForcibly();
                });
      }
    }
  }

  /** Distinguishes a process from a later one with the same id. */
  private static String started(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toString).orElse("");
  }
}
