package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Identifies one hold: 16 hexadecimal digits, a digest of the token that the server stores. Anyone
 * who reads the token itself could free the lock; this id is safe to display, log and type. Each
 * grant by the store has a new id; hand-overs between threads of a process, and renewals, keep it.
 *
 * <p>Clients that reuse their values have the same id for several grants: a plain {@code RLock}
 * identifies client and thread, and all writers of the same timestamp share one id.
 *
 * @param text the digits, in lower case
 */
public record HoldId(String text) {
  private static final Pattern FORM = Pattern.compile("[0-9a-f]{16}");
  private static final int BYTES = 8;

  /**
   * Creates an id from its digits.
   *
   * @throws IllegalArgumentException if they are not 16 hexadecimal digits in lower case
   */
  public HoldId {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "hold id '" + Quoted.text(text) + "' is not 16 of 0-9 a-f");
    }
  }

  /** Creates the id of a stored token, without the rest of the field or member that contains it. */
  static HoldId of(String token) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.ISO_8859_1));
      return new HoldId(HexFormat.of().formatHex(digest, 0, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Returns the digits. */
  @Override
  public String toString() {
    return text;
  }
}
