package dev.leasehold.admin;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a stored value that may be displayed. The value is read with one character per byte.
 */
final class ShownTokens {
  /**
   * A token of this library, as described in {@code LeaseKey}, with or without a store's id for
   * recalls; or its tombstone.
   */
  private static final Pattern OURS =
      Pattern.compile(
          "[-+]?([A-Za-z0-9._@][A-Za-z0-9._@-]{0,63}):[A-Za-z0-9_-]{22}(?:~[^~:]+|\\.)?");

  private static final int SHOWN = 8;

  private ShownTokens() {}

  static boolean isOurs(String value) {
    return OURS.matcher(value).matches();
  }

  /**
   * Returns the label of one of this library's tokens, or the first characters of any other value,
   * as {@code HolderInfo.holder()} does. Never enough to free the lock.
   */
  static String shown(String value) {
    Matcher ours = OURS.matcher(value);
    if (ours.matches()) {
      return ours.group(1);
    }
    String text = new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    return text.substring(0, Math.min(SHOWN, text.length() / 2)) + "…";
  }

  /** Returns the state of a hold with such a value. */
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
