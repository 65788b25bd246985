package dev.leasehold.testkit.worker;

import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.server.ResourceReaper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A barrier that keeps processes contending for a lock until each has held it. Without it,
 * processes that start one after another may each finish before the next begins. A process reports
 * its first hold by creating a file. Thread-safe.
 */
public final class Meeting {
  private final Path folder;
  private final int processes;
  private final Duration patience;

  private Meeting(Path folder, int processes, Duration patience) {
    this.folder = folder;
    this.processes = processes;
    this.patience = patience;
  }

  /** For this many processes. The caller deletes the folder. */
  public static Meeting of(int processes) {
    return new Meeting(ResourceReaper.directory("meeting"), processes, TimeScale.seconds(20));
  }

  /** How long a process contends at most. */
  Duration patience() {
    return patience;
  }

  /** Reports that this process has held the lock. */
  void arrive() {
    try {
      Files.writeString(folder.resolve(Long.toString(ProcessHandle.current().pid())), "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether every process has arrived. */
  boolean isComplete() {
    try (Stream<Path> arrived = Files.list(folder)) {
      return arrived.count() >= processes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes the folder. */
  public void end() {
    ResourceReaper.delete(folder);
  }

  List<String> words() {
    return List.of(folder.toString(), Integer.toString(processes), LineFormat.nanos(patience));
  }

  static Meeting of(List<String> words) {
    return new Meeting(
        Path.of(words.get(0)), Integer.parseInt(words.get(1)), LineFormat.duration(words.get(2)));
  }
}
