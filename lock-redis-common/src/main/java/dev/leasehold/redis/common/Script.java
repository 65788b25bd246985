package dev.leasehold.redis.common;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The Lua scripts: a resource each, whose header tells keys, arguments and reply. Send {@link
 * #sha()} by {@code EVALSHA}; on {@code NOSCRIPT}, {@link #body()} by {@code EVAL}, which also
 * leaves it in the server's cache.
 */
public enum Script {
  /** Takes a lock and draws its fence. */
  ACQUIRE,
  /** Frees a lock and wakes one waiter. */
  RELEASE,
  /** Renews many leases. */
  RENEW,
  /** Takes a waiter out of the line. */
  LEAVE,
  /** Who has a lock. */
  INSPECT,
  /** Takes a lock of plain mode. */
  PLAIN_ACQUIRE,
  /** Frees a lock of plain mode. */
  PLAIN_RELEASE,
  /** Who has a lock of plain mode. */
  PLAIN_INSPECT;

  private final byte[] body;
  private final byte[] sha;

  Script() {
    String file = name().toLowerCase(Locale.ROOT).replace('_', '-') + ".lua";
    try (InputStream in = Script.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is not beside its class");
      }
      body = in.readAllBytes();
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(body);
      sha = HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  /** Its text. The array must not be changed. */
  @SuppressWarnings("MutableArrayInEnum")
  public byte[] body() {
    return body;
  }

  /** Its SHA-1 in hexadecimal digits. The array must not be changed. */
  public byte[] sha() {
    return sha;
  }
}
