package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;

/**
 * Whose wall clock a timestamp in a value is written and judged by. All who share a lock should go
 * by one clock, or by clocks that are kept in step. Immutable and thread-safe.
 */
final class WallClock {
  /** As far away as a Duration in nanoseconds goes. */
  static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  private static final long MICROS = 1_000_000;
  private static final WallClock SERVER = new WallClock(null);

  private final @Nullable LongSupplier local;

  private WallClock(@Nullable LongSupplier local) {
    this.local = local;
  }

  /** The server's, asked by TIME in the round trip that reads the value. */
  static WallClock server() {
    return SERVER;
  }

  /** This process' own. */
  static WallClock local() {
    return local(() -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }

  /**
   * A given one.
   *
   * @param micros microseconds since 1970
   */
  static WallClock local(LongSupplier micros) {
    return new WallClock(micros);
  }

  /** Microseconds as a time, which a foreign value may make longer than nanoseconds can tell. */
  static Duration span(long micros) {
    Duration span = Duration.of(micros, ChronoUnit.MICROS);
    return span.compareTo(FOR_EVER) < 0 ? span : FOR_EVER;
  }

  /** What the server must be asked for it. */
  List<Command> question() {
    return local == null ? List.of(Command.of(Protocol.Command.TIME)) : List.of();
  }

  /** Own time if it is own, to be read before the value is: late rather than early. */
  long before() {
    return local == null ? 0 : local.getAsLong();
  }

  /** The time in microseconds since 1970, from what was read before and from the reply to TIME. */
  long micros(long before, List<@Nullable Object> replies) {
    if (local != null) {
      return before;
    }
    List<?> time = (List<?>) Objects.requireNonNull(replies.get(replies.size() - 1));
    return number(time.get(0)) * MICROS + number(time.get(1));
  }

  private static long number(Object reply) {
    return Long.parseLong(new String((byte[]) reply, US_ASCII));
  }
}
