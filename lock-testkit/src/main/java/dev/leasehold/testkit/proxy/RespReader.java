package dev.leasehold.testkit.proxy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Splits a stream into requests or replies, of RESP2 and RESP3 alike, preserving their bytes. Not
 * thread-safe.
 */
final class RespReader {
  private static final int BUFFER = 1 << 14;
  private static final String STREAMED = "?";

  /** Called before waiting for more bytes: passes on what was read so far. */
  interface BeforeWaiting {
    void run() throws IOException;
  }

  /**
   * A client's request.
   *
   * @param words the command; empty for an empty line
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier: never compared
  record Request(byte[] bytes, List<String> words) {}

  /** The part of the frame read so far; its bytes can be inspected without copying. */
  private static final class Copied extends ByteArrayOutputStream {
    String lineFrom(int start) {
      return new String(buf, start, count - start, StandardCharsets.UTF_8);
    }
  }

  private final InputStream in;
  private final BeforeWaiting beforeWaiting;
  private final byte[] buffer = new byte[BUFFER];
  private final Copied frame = new Copied();
  private int position;
  private int limit;

  RespReader(InputStream in, BeforeWaiting beforeWaiting) {
    this.in = in;
    this.beforeWaiting = beforeWaiting;
  }

  /** The next request; empty at the end of the stream. */
  Optional<Request> request() throws IOException {
    frame.reset();
    if (position == limit && !fill()) {
      return Optional.empty();
    }
    if (buffer[position] != '*') {
      line();
      // An inline command, as typed by a person. Quotes are irrelevant for matching.
      String text = frame.toString(StandardCharsets.UTF_8).strip();
      List<String> words = text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
      return Optional.of(new Request(frame.toByteArray(), words));
    }
    value();
    Frame whole = new Frame(frame.toByteArray(), 0);
    return Optional.of(new Request(whole.bytes(), whole.elements(Integer.MAX_VALUE)));
  }

  /** The next reply or push; empty at the end of the stream. */
  Optional<Frame> reply() throws IOException {
    frame.reset();
    if (position == limit && !fill()) {
      return Optional.empty();
    }
    int start = 0;
    while (buffer[position] == '|') {
      value();
      start = frame.size();
      need();
    }
    value();
    return Optional.of(new Frame(frame.toByteArray(), start));
  }

  /** Passes all bytes on unchanged until the stream ends. */
  void pump(OutputStream out) throws IOException {
    do {
      out.write(buffer, position, limit - position);
      position = limit;
      out.flush();
    } while (fill());
  }

  private void value() throws IOException {
    need();
    char type = (char) buffer[position];
    String line = line();
    switch (type) {
      case '+', '-', ':', '_', '#', ',', '(', '.' -> {}
      // An idle server keeps a replica's connection alive with empty lines.
      case '\n', '\r' -> {}
      case '$', '=', '!' -> bulk(line);
      case '*', '~', '>' -> values(line, 1);
      case '%' -> values(line, 2);
      case '|' -> values(line, 2);
      default -> throw new IOException("Neither RESP2 nor RESP3: " + type + line);
    }
  }

  private void bulk(String length) throws IOException {
    if (!length.equals(STREAMED)) {
      copy(Integer.parseInt(length));
      return;
    }
    int chunk;
    do {
      chunk = Integer.parseInt(line());
      copy(chunk == 0 ? -1 : chunk);
    } while (chunk != 0);
  }

  /** Copies text with its line end; a negative length means that there is none. */
  private void copy(int length) throws IOException {
    int left = length < 0 ? 0 : length + 2;
    while (left > 0) {
      need();
      int some = Math.min(left, limit - position);
      frame.write(buffer, position, some);
      position += some;
      left -= some;
    }
  }

  private void values(String count, int each) throws IOException {
    if (count.equals(STREAMED)) {
      need();
      while (buffer[position] != '.') {
        value();
        need();
      }
      value();
      return;
    }
    long left = Long.parseLong(count) * each;
    for (; left > 0; left--) {
      need();
      // An attribute describes the value that follows and is not counted.
      if (buffer[position] == '|') {
        value();
      }
      value();
    }
  }

  /** Copies a line into the frame; returns it without its first character and line end. */
  private String line() throws IOException {
    int start = frame.size();
    byte b;
    do {
      need();
      b = buffer[position++];
      frame.write(b);
    } while (b != '\n');
    return frame.lineFrom(start).substring(1).strip();
  }

  private void need() throws IOException {
    if (position == limit && !fill()) {
      throw new EOFException("The connection ended within a value");
    }
  }

  private boolean fill() throws IOException {
    beforeWaiting.run();
    int read = in.read(buffer);
    position = 0;
    limit = Math.max(read, 0);
    return read > 0;
  }
}
