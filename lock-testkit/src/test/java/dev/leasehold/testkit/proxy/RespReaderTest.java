package dev.leasehold.testkit.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The stream is split where a value ends")
class RespReaderTest {
  private static final List<String> REPLIES =
      List.of(
          "+OK\r\n",
          "-ERR no\r\n",
          ":-5\r\n",
          "$5\r\na\r\nbc\r\n",
          "$0\r\n\r\n",
          "$-1\r\n",
          "*0\r\n",
          "*-1\r\n",
          "*3\r\n:1\r\n*2\r\n$1\r\na\r\n*1\r\n$-1\r\n-ERR in it\r\n",
          "_\r\n",
          "#t\r\n",
          ",3.25\r\n",
          "(3492890328409238509324850943850943825024385\r\n",
          "!5\r\nERR x\r\n",
          "=8\r\ntxt:some\r\n",
          "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n",
          "~2\r\n+a\r\n#f\r\n",
          ">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n",
          "|1\r\n+ttl\r\n:3600\r\n*2\r\n:1\r\n|1\r\n+x\r\n+y\r\n:2\r\n",
          "$?\r\n;4\r\nHell\r\n;1\r\no\r\n;0\r\n",
          "*?\r\n:1\r\n$?\r\n;0\r\n:3\r\n.\r\n",
          "%?\r\n+a\r\n:1\r\n.\r\n");

  /** Gives so many bytes at a time, as a slow network does. */
  private static InputStream inPiecesOf(int size, String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)) {
      @Override
      public int read(byte[] b, int off, int len) {
        return super.read(b, off, Math.min(len, size));
      }

      @Override
      public int read(byte[] b) {
        return read(b, 0, b.length);
      }
    };
  }

  @ParameterizedTest(name = "{0} bytes at a time")
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  @DisplayName("Replies of RESP2 and RESP3, however they arrive")
  void replies(int size) throws IOException {
    RespReader reader = new RespReader(inPiecesOf(size, String.join("", REPLIES)), () -> {});
    List<String> frames = new ArrayList<>();
    for (Optional<Frame> f = reader.reply(); f.isPresent(); f = reader.reply()) {
      frames.add(new String(f.get().bytes(), StandardCharsets.ISO_8859_1));
    }
    assertEquals(REPLIES, frames);
  }

  @Test
  @DisplayName("An attribute goes with its value, and does not hide the value's type")
  void attribute() throws IOException {
    String text = "|1\r\n+a\r\n*1\r\n:1\r\n>2\r\n+invalidate\r\n*1\r\n+k\r\n";
    RespReader reader = new RespReader(inPiecesOf(4, text), () -> {});
    Frame frame = reader.reply().orElseThrow();
    assertEquals('>', frame.type());
    assertEquals(List.of("invalidate"), frame.elements(2));
  }

  @ParameterizedTest(name = "{0} bytes at a time")
  @ValueSource(ints = {1, 5, 1000})
  @DisplayName("Requests as arrays, inline, and empty lines")
  void requests(int size) throws IOException {
    List<String> requests =
        List.of(
            "*2\r\n$3\r\nGET\r\n$4\r\na\r\nb\r\n",
            "PING\r\n",
            "set a  1\n",
            "\r\n",
            "*0\r\n",
            "*1\r\n$4\r\nPING\r\n");
    RespReader reader = new RespReader(inPiecesOf(size, String.join("", requests)), () -> {});
    List<String> frames = new ArrayList<>();
    List<List<String>> words = new ArrayList<>();
    for (var r = reader.request(); r.isPresent(); r = reader.request()) {
      frames.add(new String(r.get().bytes(), StandardCharsets.ISO_8859_1));
      words.add(r.get().words());
    }
    assertEquals(requests, frames);
    assertEquals(
        List.of(
            List.of("GET", "a\r\nb"),
            List.of("PING"),
            List.of("set", "a", "1"),
            List.of(),
            List.of(),
            List.of("PING")),
        words);
  }

  @Test
  @DisplayName("An end in the middle of a value, and nonsense, are errors")
  void errors() {
    for (String cut : List.of("$5\r\nabc", "*2\r\n:1\r\n", "+O", "$?\r\n;1\r\na\r\n")) {
      RespReader reader = new RespReader(inPiecesOf(100, cut), () -> {});
      assertThrows(EOFException.class, reader::reply, cut);
    }
    RespReader reader = new RespReader(inPiecesOf(100, "HTTP/1.1 400\r\n"), () -> {});
    assertThrows(IOException.class, reader::reply);
  }
}
