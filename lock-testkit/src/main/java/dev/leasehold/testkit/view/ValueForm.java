package dev.leasehold.testkit.view;

import dev.leasehold.testkit.view.ServerView.Entry;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the string under a lock's key says, and who ends the lease: the key's time to live, or
 * whoever reads in the value that its time is past. The names of the last four are those of the
 * formats of clients that already exist.
 */
public enum ValueForm {
  /** The holder's token, or any text; the key's time to live is the lease's. */
  TOKEN(Duration.ZERO),

  /**
   * The end in milliseconds since 1970, a colon and the holder's token; over from that millisecond
   * on. A time to live of the key is mere clean-up.
   */
  EXPIRY_AND_TOKEN(Duration.ofMillis(2)),

  /** The second of taking it plus whole seconds; over when a reader's second is greater. */
  YII2(Duration.ofSeconds(2)),

  /** As {@link #YII2}, and one second more. */
  SECONDS(Duration.ofSeconds(3)),

  /** The end in milliseconds since 1970; over when a reader's millisecond is greater. */
  MILLIS(Duration.ofMillis(2)),

  /**
   * The end in seconds with a fraction, one second more than asked; over when a reader's time is
   * greater. An empty value is held for the key's time to live, and "1" without an end.
   */
  REDIS_OBJECTS(Duration.ofMillis(1002));

  private final Duration linger;

  ValueForm(Duration linger) {
    this.linger = linger;
  }

  /** How much longer than asked a lease may last, at most: what rounding up comes to. */
  public Duration linger() {
    return linger;
  }

  /** Whether the key's time to live ends a lease. */
  boolean endsByTimeToLive() {
    return this == TOKEN;
  }

  /**
   * The value of a holder.
   *
   * @param holder its token, where the form has room for it
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
   * What a value says of its holder.
   *
   * @param ttl time to live of the key, if it has one
   * @param now the server's time since 1970
   * @return empty if the lease is over
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

  /** A value that is none of the form's is a holder without an end: nobody may take it for free. */
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
