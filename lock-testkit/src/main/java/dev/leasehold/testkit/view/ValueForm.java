package dev.leasehold.testkit.view;

import dev.leasehold.testkit.view.ServerView.Entry;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * The format of a lock's string value, and what ends the lease: the key's TTL, or a time in the
 * value that readers compare. The last four are named after existing clients' formats.
 */
public enum ValueForm {
  /** The holder's token, or any text; the key's TTL is the lease's. */
  TOKEN(Duration.ZERO),

  /**
   * The end in milliseconds since 1970, a colon and the holder's token; expired from that
   * millisecond on. The key's TTL is for clean-up only.
   */
  EXPIRY_AND_TOKEN(Duration.ofMillis(2)),

  /**
   * The second of the acquisition plus whole seconds; expired when a reader's second is greater.
   */
  YII2(Duration.ofSeconds(2)),

  /** As {@link #YII2}, plus one second. */
  SECONDS(Duration.ofSeconds(3)),

  /** The end in milliseconds since 1970; expired when a reader's millisecond is greater. */
  MILLIS(Duration.ofMillis(2)),

  /**
   * The end in fractional seconds, one second later than requested; expired when a reader's time is
   * greater. An empty value is held for the key's TTL, and "1" never expires.
   */
  REDIS_OBJECTS(Duration.ofMillis(1002));

  private final Duration linger;

  ValueForm(Duration linger) {
    this.linger = linger;
  }

  /** How much longer than requested a lease may last, at most, due to rounding up. */
  public Duration linger() {
    return linger;
  }

  /** Whether the key's TTL ends a lease. */
  boolean endsByTimeToLive() {
    return this == TOKEN;
  }

  /**
   * The value for a holder.
   *
   * @param holder its token, where the format has room for it
   * @param lease how long it holds the lock
   * @param now the server's time since 1970
   */
  String write(String holder, Duration lease, Duration now) {
    return switch (this) {
      case TOKEN -> holder;
      case EXPIRY_AND_TOKEN -> now.plus(lease).toMillis() + ":" + holder;
      case YII2 -> Long.toString(now.toSeconds() + wholeSeconds(lease));
      case SECONDS -> Long.toString(now.toSeconds() + wholeSeconds(lease) + 1);
      case MILLIS -> Long.toString(now.plus(lease).toMillis());
      case REDIS_OBJECTS -> seconds(now.plus(lease).plusSeconds(1)).toPlainString();
    };
  }

  /**
   * Parses a value.
   *
   * @param ttl the key's TTL, if any
   * @param now the server's time since 1970
   * @return empty if the lease has expired
   */
  Optional<Entry> read(String value, Optional<Duration> ttl, Duration now) {
    return switch (this) {
      case TOKEN -> Optional.of(new Entry(value, ttl));
      case EXPIRY_AND_TOKEN ->
          until(value, now, text -> Duration.ofMillis(number(text.split(":", 2)[0])));
      case YII2, SECONDS -> until(value, now, text -> Duration.ofSeconds(number(text) + 1));
      case MILLIS -> until(value, now, text -> Duration.ofMillis(number(text) + 1));
      case REDIS_OBJECTS ->
          value.isEmpty() || value.equals("1")
              ? Optional.of(new Entry(value, ttl))
              : until(value, now, text -> duration(new BigDecimal(text)));
    };
  }

  /** A value in another format is a holder without an end: it must not be taken for free. */
  private static Optional<Entry> until(
      String value, Duration now, Function<String, Duration> readEnd) {
    Duration end;
    try {
      end = readEnd.apply(value);
    } catch (NumberFormatException notOfThisForm) {
      return Optional.of(new Entry(value, Optional.empty()));
    }
    Duration left = end.minus(now);
    return left.isNegative() || left.isZero()
        ? Optional.empty()
        : Optional.of(new Entry(value, Optional.of(left)));
  }

  private static long number(String text) {
    return Long.parseLong(text);
  }

  private static long wholeSeconds(Duration lease) {
    return lease.plusSeconds(1).minusNanos(1).toSeconds();
  }

  private static BigDecimal seconds(Duration time) {
    long micros = time.toNanos() / 1000;
    BigDecimal exact = BigDecimal.valueOf(micros, 6).stripTrailingZeros();
    return exact.scale() < 1 ? exact.setScale(1) : exact;
  }

  private static Duration duration(BigDecimal seconds) {
    return Duration.ofNanos(
        seconds.movePointRight(9).setScale(0, RoundingMode.CEILING).longValue());
  }
}
