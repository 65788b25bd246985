package dev.leasehold.admin;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What of a stored value may be shown. The value is read with each byte as a character. */
final class ShownTokens {
  /**
   * A token of this library, as {@code LeaseKey} describes it, also with a store's id for recalls;
   * and its tombstone.
   */
  private static final Pattern OURS =
      Pattern.compile("[-+]?([A-Za-z0-9._@][A-Za-z0-9._@-]{0,63}):[A-Za-z0-9_-]{22}(?:~[^~:]+)?");

  private static final int SHOWN = 8;

  private ShownTokens() {}

  static boolean isOurs(String value) {
    return OURS.matcher(value).matches();
  }

  /**
   * The label of one of our tokens, or the first characters of any other: as {@code
   * HolderInfo.holder()} shows it. Never enough to free the lock.
   */
  static String shown(String value) {
    Matcher ours = OURS.matcher(value);
    if (ours.matches()) {
      return ours.group(1);
    }
    String text = new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    return text.substring(0, Math.min(SHOWN, text.length() / 2)) + "…";
  }

  /** The state of a hold with such a value. */
  static HoldState state(String value) {
    if (value.startsWith("+") && isOurs(value)) {
      return HoldState.RESERVED;
    }
    if (value.startsWith("-") && isOurs(value)) {
      return HoldState.KEPT;
    }
    return Maintenance.of(shown(value)).isPresent() ? HoldState.MAINTENANCE : HoldState.HELD;
  }
}
