package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Setting;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/** Checks names and durations that callers pass in. */
public final class LockNames {
  static final int MOST_BYTES = 512;

  /** The longest duration that a {@code long} of nanoseconds can hold. */
  static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private static final int SHOWN = 40;

  private LockNames() {}

  /**
   * Checks a name.
   *
   * @param kind the kind of thing it names, in words
   */
  public static String check(String kind, String name) {
    String what = kind + " name";
    Objects.requireNonNull(name, what);
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          what + " '' is empty: it takes 1 to " + MOST_BYTES + " bytes");
    }
    ByteBuffer bytes;
    try {
      bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          what + " " + shorten(name) + " has a lone surrogate, which UTF-8 can't carry", e);
    }
    if (bytes.remaining() > MOST_BYTES) {
      throw new IllegalArgumentException(
          what
              + " "
              + shorten(name)
              + " has "
              + bytes.remaining()
              + " bytes in UTF-8: the limit is "
              + MOST_BYTES);
    }
    return name;
  }

  public static Duration checkWait(Duration wait) {
    Objects.requireNonNull(wait, "wait");
    if (wait.isNegative() || wait.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "wait " + Setting.written(wait) + " is not between 0ms and " + LONGEST.toDays() + "d");
    }
    return wait;
  }

  public static Duration checkRange(String what, Duration value, Duration least, Duration most) {
    Objects.requireNonNull(value, what);
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          what
              + " "
              + Setting.written(value)
              + " is not between "
              + Setting.written(least)
              + " and "
              + Setting.written(most));
    }
    return value;
  }

  private static String shorten(String name) {
    return Quoted.name(name.length() <= SHOWN ? name : name.substring(0, SHOWN) + "…");
  }
}
