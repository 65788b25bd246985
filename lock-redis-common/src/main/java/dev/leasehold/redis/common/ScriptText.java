package dev.leasehold.redis.common;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A Lua script made of several parts, and its digest. Immutable. */
public final class ScriptText {
  private final byte[] body;
  private final byte[] sha;

  private ScriptText(byte[] body) {
    this.body = body;
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(body);
      this.sha = HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  /** Concatenates parts. */
  public static ScriptText of(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return new ScriptText(all.toByteArray());
  }

  /**
   * Reads a part.
   *
   * @param name of its file, without {@code .lua}
   * @param files opens a file; a lambda in the class beside the file, since only the module itself
   *     can read its resources
   * @throws IllegalStateException if there is none
   */
  public static byte[] read(String name, Function<String, @Nullable InputStream> files) {
    String file = name + ".lua";
    try (InputStream in = files.apply(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is not beside its class");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  /** The text. The array must not be changed. */
  public byte[] body() {
    return body;
  }

  /** Its SHA-1 in hexadecimal digits. The array must not be changed. */
  public byte[] sha() {
    return sha;
  }
}
