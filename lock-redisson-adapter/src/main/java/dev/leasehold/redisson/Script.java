package dev.leasehold.redisson;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The Lua scripts: resources, whose header tells keys, arguments and reply. */
enum Script {
  /** Takes a plain lock. */
  ACQUIRE("take", "fence"),
  /** Takes a fair lock, or stands in line. */
  FAIR_ACQUIRE("line", "fair-take", "fence"),
  /** Frees a plain lock. */
  RELEASE("release"),
  /** Frees a lock of either kind, and keeps it taken for a while. */
  KEEP("keep"),
  /** Frees a fair lock. */
  FAIR_RELEASE("line", "fair-release"),
  /** Takes a waiter out of the line. */
  FAIR_LEAVE("line", "fair-leave"),
  /** Renews many leases. */
  RENEW("renew"),
  /** Who has a lock. */
  INSPECT("inspect"),
  /** Takes a plain lock on a node of a quorum, which may have forgotten locks. */
  NODE_ACQUIRE(dev.leasehold.redis.common.Script.HISTORY.body(), "node", "take", "fence"),
  /** Makes a fence larger. */
  RAISE("raise"),
  /** Notes that a client of a quorum has met a run of the server. */
  ENTER(dev.leasehold.redis.common.Script.ENTER.body());

  private final String body;
  private final String sha;

  Script(String... files) {
    this(joined(new byte[0], files));
  }

  Script(byte[] begin, String... files) {
    this(joined(begin, files));
  }

  Script(byte[] text) {
    body = new String(text, StandardCharsets.UTF_8);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
      sha = HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  private static byte[] joined(byte[] begin, String... files) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes(begin);
    for (String file : files) {
      text.writeBytes(read(file + ".lua"));
    }
    return text.toByteArray();
  }

  private static byte[] read(String file) {
    try (InputStream in = Script.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is not beside its class");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  String body() {
    return body;
  }

  /** Its SHA-1 in hexadecimal digits. */
  String sha() {
    return sha;
  }
}
