package dev.leasehold.examples.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A number in a file that any process can read and write, without protection. */
final class Counter implements AutoCloseable {
  private final FileChannel file;

  Counter(Path path) throws IOException {
    file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  long read() {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
    try {
      return file.read(bytes, 0) < Long.BYTES ? 0 : bytes.getLong(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void write(long value) {
    try {
      file.write(ByteBuffer.allocate(Long.BYTES).putLong(0, value), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Increments without protection: writes of others between the read and the write are lost. */
  @SuppressWarnings("ThreadPriorityCheck") // the yield lets others interleave
  void addOne() {
    long value = read();
    Thread.yield();
    write(value + 1);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
