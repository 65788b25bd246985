package dev.leasehold.redlock;

import dev.leasehold.testkit.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** What an operator may do to the servers of a quorum, and what may befall their disks. */
final class NodeOperations {
  private NodeOperations() {}

  /** Says of a server that no lock was held on it before: it votes at once. */
  static void admit(RedisServer server) {
    server.call("HSET", "lh:node", "run", server.runId(), "since", "0", "longest", "0");
  }

  /** Where a running server appends to now. */
  static Path appendOnlyFile(RedisServer server) {
    List<?> dir = (List<?>) server.call("CONFIG", "GET", "dir").orElseThrow();
    try (Stream<Path> files = Files.walk(Path.of(dir.get(1).toString()))) {
      return files
          .filter(file -> file.toString().endsWith(".incr.aof") || file.endsWith("appendonly.aof"))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What comes after has not reached the disk. */
  static void truncate(Path file, long size) {
    try (FileChannel disk = FileChannel.open(file, StandardOpenOption.WRITE)) {
      disk.truncate(size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether these words are in the file. */
  static boolean has(Path file, String words) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).contains(words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
