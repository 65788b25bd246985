package dev.leasehold.redisson;

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
  /** Frees a fair lock. */
  FAIR_RELEASE("line", "fair-release"),
  /** Takes a waiter out of the line. */
  FAIR_LEAVE("line", "fair-leave"),
  /** Renews many leases. */
  RENEW("renew"),
  /** Who has a lock. */
  INSPECT("inspect");

  private final String body;
  private final String sha;

  Script(String... files) {
    StringBuilder text = new StringBuilder();
    for (String file : files) {
      text.append(read(file + ".lua"));
    }
    body = text.toString();
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(body.getBytes(StandardCharsets.UTF_8));
      sha = HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  private static String read(String file) {
    try (InputStream in = Script.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is not beside its class");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
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
