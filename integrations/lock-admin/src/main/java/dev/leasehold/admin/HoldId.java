package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Identifies one hold, as it was seen: 16 hexadecimal digits, a digest of the token that the server
 * stores. The token itself would allow anybody who reads it to free the lock; this may be shown,
 * logged and typed. Each grant by the store has another one; hand-overs between threads of one
 * process, and renewals, keep it.
 *
 * <p>Holders through clients that reuse their values have one id for several grants: a plain {@code
 * RLock} identifies client and thread, and a timestamp is the same for all who write it.
 *
 * @param text the digits, in lower case
 */
public record HoldId(String text) {
  private static final Pattern FORM = Pattern.compile("[0-9a-f]{16}");
  private static final int BYTES = 8;

  /**
   * From the digits.
   *
   * @throws IllegalArgumentException if they are not 16 hexadecimal digits in lower case
   */
  public HoldId {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "hold id '" + Quoted.text(text) + "' is not 16 of 0-9 a-f");
    }
  }

  /** Of a stored token; the field or member that it is part of is not included. */
  static HoldId of(String token) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.ISO_8859_1));
      return new HoldId(HexFormat.of().formatHex(digest, 0, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The digits. */
  @Override
  public String toString() {
    return text;
  }
}
