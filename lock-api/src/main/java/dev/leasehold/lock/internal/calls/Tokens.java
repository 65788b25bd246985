package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.spi.LeaseKey;
import java.util.Base64;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** Creates tokens, {@code label:secret}, and returns the part of one that may be shown. */
public record Tokens(String label, RandomGenerator random) {
  public static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._@][A-Za-z0-9._@-]{0,63}");

  /**
   * Matches our tokens, also with a store's address for recalls, and their tombstones: of locks
   * that are kept for a while after a release.
   */
  private static final Pattern OURS =
      Pattern.compile("-?([A-Za-z0-9._@][A-Za-z0-9._@-]{0,63}):[A-Za-z0-9_-]{22}(~[^~:]+|\\.)?");

  private static final int SECRET_BYTES = 16;
  private static final int FOREIGN_SHOWN = 8;

  public LeaseKey fresh(String name) {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return new LeaseKey(
        name, label + ":" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
  }

  /**
   * Returns the label of one of our tokens, or the first characters of any other. Never enough to
   * release it.
   */
  public static String shown(String token) {
    var ours = OURS.matcher(token);
    if (ours.matches()) {
      return ours.group(1);
    }
    return token.substring(0, Math.min(FOREIGN_SHOWN, token.length() / 2)) + "…";
  }
}
