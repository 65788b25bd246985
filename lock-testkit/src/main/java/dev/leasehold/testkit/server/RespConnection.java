package dev.leasehold.testkit.server;

import java.io.BufferedInputStream;
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
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A minimal blocking connection that speaks RESP2, to inspect a server without relying on a client
 * library.
 *
 * <p>Replies are Java values: text as {@link String} (UTF-8), integers as {@link Long}, arrays as
 * {@link List} of those, nil as an empty {@link Optional} (inside an array as {@code null}). An
 * error reply is thrown as {@link ServerError}; inside an array it is an element. A broken
 * connection or a time-out is an {@link UncheckedIOException}; the connection is unusable
 * afterwards.
 *
 * <p>Not thread-safe.
 */
public final class RespConnection implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  /** An error reply of a server; its message is the server's text. */
  public static final class ServerError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String words;

    ServerError(String words) {
      super(words);
      this.words = words;
    }

    /** The first word, which names the kind of error: {@code NOPERM}, {@code OOM}, {@code ERR}. */
    public String code() {
      int end = words.indexOf(' ');
      return end < 0 ? words : words.substring(0, end);
    }
  }

  private RespConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  /**
   * Connects.
   *
   * @param timeout for connecting and for each reply; positive
   */
  public static RespConnection to(String host, int port, Duration timeout) {
    return open(host, port, timeout, Optional.empty());
  }

  static RespConnection open(String host, int port, Duration timeout, Optional<SSLContext> tls) {
    Socket socket = new Socket();
    try {
      int millis = Math.toIntExact(timeout.toMillis());
      socket.connect(new InetSocketAddress(host, port), millis);
      if (tls.isPresent()) {
        socket = tls.get().getSocketFactory().createSocket(socket, host, port, true);
      }
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(millis);
      // Closes without TIME_WAIT, since many short connections could exhaust the local ports.
      socket.setSoLinger(true, 0);
      return new RespConnection(socket);
    } catch (IOException e) {
      try {
        socket.close();
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw new UncheckedIOException("No connection to " + host + ":" + port + ": " + e, e);
    }
  }

  /** Sends AUTH with these arguments; closes the connection if they are rejected. */
  RespConnection authenticated(List<String> words) {
    List<String> command = new ArrayList<>(List.of("AUTH"));
    command.addAll(words);
    try {
      call(command.toArray(String[]::new));
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Sends one command and waits for its reply. */
  public Optional<Object> call(String... words) {
    send(words);
    return read();
  }

  /** Sends one command whose reply is text. */
  public String text(String... words) {
    if (call(words).orElse(null) instanceof String text) {
      return text;
    }
    throw new IllegalStateException("The reply to " + words[0] + " is no text");
  }

  /** Sends one command whose reply is an integer. */
  public long number(String... words) {
    if (call(words).orElse(null) instanceof Long number) {
      return number;
    }
    throw new IllegalStateException("The reply to " + words[0] + " is no integer");
  }

  /** Sends one command whose reply is an array. */
  public List<?> list(String... words) {
    if (call(words).orElse(null) instanceof List<?> list) {
      return list;
    }
    throw new IllegalStateException("The reply to " + words[0] + " is no array");
  }

  /** Sends one command without waiting. Its reply is {@link #read() read} later, in order. */
  public void send(String... words) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(ascii("*" + words.length + "\r\n"));
    for (String word : words) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      frame.writeBytes(ascii("$" + bytes.length + "\r\n"));
      frame.writeBytes(bytes);
      frame.writeBytes(ascii("\r\n"));
    }
    sendRaw(frame.toByteArray());
  }

  /** Sends raw bytes: inline commands, pipelines, or malformed input. */
  public void sendRaw(byte[] bytes) {
    try {
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the next reply, or the next message of a subscription. */
  public Optional<Object> read() {
    try {
      Object reply = readReply();
      if (reply instanceof ServerError error) {
        throw error;
      }
      return Optional.ofNullable(reply);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private @Nullable Object readReply() throws IOException {
    String line = readLine();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> new ServerError(rest);
      case ':' -> Long.valueOf(rest);
      case '$' -> readBulk(Integer.parseInt(rest));
      case '*' -> readArray(Integer.parseInt(rest));
      default -> throw new IOException("Not RESP2: " + line);
    };
  }

  private @Nullable String readBulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length || in.readNBytes(2).length < 2) {
      throw new EOFException("The server closed the connection within a reply");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private @Nullable List<@Nullable Object> readArray(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    List<@Nullable Object> list = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      list.add(readReply());
    }
    return list;
  }

  private String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("The server closed the connection");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    if (line.size() == 0) {
      throw new IOException("Not RESP2: an empty line");
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Closes the connection; pending replies are discarded. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
