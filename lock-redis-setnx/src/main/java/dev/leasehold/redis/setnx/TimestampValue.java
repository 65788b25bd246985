package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of {@link TimestampStore}: {@code <end>:<token>}, with the end in milliseconds since
 * 1970 as decimal digits. The lease has expired from that millisecond on.
 *
 * @param end milliseconds since 1970
 * @param token the holder's
 */
record TimestampValue(long end, String token) {
  /**
   * A token has one colon, which follows a label. So this is no value of the scripts, which is a
   * token alone, even if its label is a number: read as a time, it would be long past, and a held
   * lock would be taken.
   */
  private static final Pattern FORM = Pattern.compile("(\\d{1,15}):([^:]+:[^:]+)");

  private static final long MICROS = 1000;

  /** A lease that lasts at least this long from then. */
  static TimestampValue lasting(Duration lease, long micros, String token) {
    return new TimestampValue(-Math.floorDiv(-micros, MICROS) + lease.toMillis(), token);
  }

  /** The value of a released token, until its end or until this time from then has passed. */
  TimestampValue tombstone(Duration rest, long micros) {
    TimestampValue kept = lasting(rest, micros, tombstone(token));
    return kept.end < end ? kept : new TimestampValue(end, kept.token);
  }

  /** The token of a tombstone. */
  static String tombstone(String token) {
    return "-" + token;
  }

  /** Parses a value; empty if it is not of this form. */
  static Optional<TimestampValue> parse(byte[] value) {
    Matcher m = FORM.matcher(new String(value, UTF_8));
    return m.matches()
        ? Optional.of(new TimestampValue(Long.parseLong(m.group(1)), m.group(2)))
        : Optional.empty();
  }

  byte[] bytes() {
    return (end + ":" + token).getBytes(UTF_8);
  }

  boolean isOver(long micros) {
    return micros >= end * MICROS;
  }

  /** Time to the end; negative if it has expired. */
  Duration left(long micros) {
    return WallClock.span(end * MICROS - micros);
  }
}
