package dev.leasehold.testkit.server;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a Redis server, in RESP2 and text in UTF-8: the kit's own eyes. Blocking; not
 * thread-safe.
 */
public final class RespConnection implements AutoCloseable {
  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;

  /** What a server answered with {@code -}: its own words. */
  public static final class ServerError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerError(String words) {
      super(words);
    }
  }

  private RespConnection(String host, int port, Duration timeout) throws IOException {
    int millis = Math.toIntExact(timeout.toMillis());
    try {
      socket.connect(new InetSocketAddress(host, port), millis);
      socket.setSoTimeout(millis);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
      out = new BufferedOutputStream(socket.getOutputStream());
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Connects.
   *
   * @param timeout for connecting and for each answer
   * @throws UncheckedIOException if nobody answers there
   */
  public static RespConnection to(String host, int port, Duration timeout) {
    try {
      return new RespConnection(host, port, timeout);
    } catch (IOException e) {
      throw new UncheckedIOException("no connection to " + host + ":" + port, e);
    }
  }

  /**
   * Sends one command and waits for its answer.
   *
   * @return a {@code String}, {@code Long}, {@code List} of those and nulls; empty for nil
   * @throws ServerError if the server refuses
   * @throws UncheckedIOException if the connection fails or the answer takes too long
   */
  public Optional<Object> call(String... words) {
    try {
      send(words);
      return Optional.ofNullable(read());
    } catch (IOException e) {
      throw new UncheckedIOException("no answer to " + String.join(" ", words), e);
    }
  }

  /** Sends one command and does not wait for an answer. */
  public void send(String... words) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
    for (String word : words) {
      byte[] text = word.getBytes(StandardCharsets.UTF_8);
      bytes.write(("$" + text.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
      bytes.write(text);
      bytes.write('\r');
      bytes.write('\n');
    }
    bytes.writeTo(out);
    out.flush();
  }

  private @Nullable Object read() throws IOException {
    String line = line();
    String rest = line.substring(1);
    switch (line.charAt(0)) {
      case '+':
        return rest;
      case '-':
        throw new ServerError(rest);
      case ':':
        return Long.valueOf(rest);
      case '$':
        return bulk(Integer.parseInt(rest));
      case '*':
        return array(Integer.parseInt(rest));
      default:
        throw new IOException("not RESP2: " + line);
    }
  }

  private @Nullable String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    line();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private @Nullable List<@Nullable Object> array(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    List<@Nullable Object> items = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      items.add(read());
    }
    return items;
  }

  private String line() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\r'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the server closed the connection");
      }
      bytes.write(b);
    }
    if (in.read() != '\n') {
      throw new IOException("a line without an end");
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
