package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The values that existing clients with timestamps write under a lock's name, and when they
 * consider a value expired. They all take over an expired lock; no value identifies the holder.
 *
 * <p>Times are microseconds since 1970.
 */
enum TimestampFormat {
  /**
   * The PHP lock on Yii2's Redis connection: whole seconds, <i>now + timeout</i>; expired when a
   * reader's second is greater.
   */
  YII2 {
    @Override
    String text(long micros, Duration lease) {
      return Long.toString(micros / SECOND + wholeSeconds(lease));
    }

    @Override
    OptionalLong over(String text) {
      return seconds(text);
    }
  },

  /**
   * Ruby's redis-objects, up to 1.3: seconds with a fraction, <i>now + expiration + 1</i>, as Ruby
   * prints a number; expired when a reader's time is greater. From 1.4 on it writes an empty value
   * with a time to live, and still reads the old format: so both versions understand what is
   * written here, and both formats are understood here. But 1.4 takes over expired locks by a plain
   * SET, so that two such clients, or one and ours, may hold a lock together. Without an expiration
   * it writes "1", held until it is deleted. It never reads values, so keys written here expire
   * with their values.
   */
  REDIS_OBJECTS {
    @Override
    String text(long micros, Duration lease) {
      BigDecimal end = BigDecimal.valueOf(micros + lease.toNanos() / 1000 + SECOND, 6);
      BigDecimal shortest = end.stripTrailingZeros();
      return (shortest.scale() < 1 ? shortest.setScale(1) : shortest).toPlainString();
    }

    @Override
    OptionalLong over(String text) {
      if (!FRACTION.matcher(text).matches()) {
        return OptionalLong.empty();
      }
      BigDecimal micros = new BigDecimal(text).movePointRight(6);
      return plausible(micros.setScale(0, RoundingMode.FLOOR).longValue() + 1);
    }

    @Override
    boolean isEndless(String text) {
      return text.isEmpty() || text.equals("1");
    }
  },

  /**
   * Articles about Java: milliseconds, <i>now + timeout</i>; expired when a reader's time is
   * greater.
   */
  MILLIS {
    @Override
    String text(long micros, Duration lease) {
      return Long.toString(micros / MILLI + lease.toMillis());
    }

    @Override
    OptionalLong over(String text) {
      return WHOLE_MILLIS.matcher(text).matches()
          ? plausible((Long.parseLong(text) + 1) * MILLI)
          : OptionalLong.empty();
    }
  },

  /**
   * Redis' SETNX page: whole seconds, <i>now + timeout + 1</i>; expired when a reader's second is
   * greater. (The page says "or equal"; leases are long enough for that, too.)
   */
  SECONDS {
    @Override
    String text(long micros, Duration lease) {
      return Long.toString(micros / SECOND + wholeSeconds(lease) + 1);
    }

    @Override
    OptionalLong over(String text) {
      return seconds(text);
    }
  };

  private static final long MILLI = 1000;
  private static final long SECOND = 1_000_000;
  private static final Pattern WHOLE_SECONDS = Pattern.compile("\\d{1,12}");
  private static final Pattern WHOLE_MILLIS = Pattern.compile("\\d{1,15}");
  private static final Pattern FRACTION = Pattern.compile("\\d{1,12}(\\.\\d{1,20})?");

  /**
   * Times before 1973 and after 5138 are in another unit: seconds read as milliseconds would be
   * long past, and a held lock would be taken.
   */
  private static final long EARLIEST = 100_000_000L * SECOND;

  private static final long LATEST = 100_000_000_000L * SECOND;

  /** The value of a lease that lasts at least this long from then. */
  byte[] write(long micros, Duration lease) {
    return text(micros, lease).getBytes(US_ASCII);
  }

  /** When a value's lease has expired for all readers; empty if it is not of this format. */
  OptionalLong over(byte[] value) {
    return over(new String(value, UTF_8));
  }

  /** Whether a value has no end of its own: it is held while the key exists. */
  boolean isEndless(byte[] value) {
    return isEndless(new String(value, UTF_8));
  }

  /** Whether keys may have a meaningful time to live, and ours have one. */
  boolean hasTimeToLive() {
    return this == REDIS_OBJECTS;
  }

  /** The precision of the lease's end in values. */
  Duration resolution() {
    return this == YII2 || this == SECONDS ? Duration.ofSeconds(1) : Duration.ofMillis(1);
  }

  abstract String text(long micros, Duration lease);

  abstract OptionalLong over(String text);

  boolean isEndless(String text) {
    return false;
  }

  private static OptionalLong seconds(String text) {
    return WHOLE_SECONDS.matcher(text).matches()
        ? plausible((Long.parseLong(text) + 1) * SECOND)
        : OptionalLong.empty();
  }

  private static OptionalLong plausible(long micros) {
    return micros >= EARLIEST && micros <= LATEST ? OptionalLong.of(micros) : OptionalLong.empty();
  }

  private static long wholeSeconds(Duration lease) {
    return lease.plusSeconds(1).minusNanos(1).toSeconds();
  }
}
