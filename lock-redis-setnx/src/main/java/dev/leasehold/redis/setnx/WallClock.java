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
 * The wall clock by which timestamps are written and judged. All clients that share a lock should
 * use one clock, or synchronized clocks. Immutable and thread-safe.
 */
final class WallClock {
  /** The longest Duration in nanoseconds. */
  static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  private static final long MICROS = 1_000_000;
  private static final WallClock SERVER = new WallClock(null);

  private final @Nullable LongSupplier local;

  private WallClock(@Nullable LongSupplier local) {
    this.local = local;
  }

  /** The server's, read by TIME in the round trip that reads the value. */
  static WallClock server() {
    return SERVER;
  }

  /** This process's own. */
  static WallClock local() {
    return local(() -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }

  /**
   * A given clock.
   *
   * @param micros microseconds since 1970
   */
  static WallClock local(LongSupplier micros) {
    return new WallClock(micros);
  }

  /**
   * Microseconds as a time. Limited, since another client's value may exceed what nanoseconds can
   * hold.
   */
  static Duration span(long micros) {
    Duration span = Duration.of(micros, ChronoUnit.MICROS);
    return span.compareTo(FOR_EVER) < 0 ? span : FOR_EVER;
  }

  /** The commands that read the server's clock, if it is used. */
  List<Command> question() {
    return local == null ? List.of(Command.of(Protocol.Command.TIME)) : List.of();
  }

  /**
   * The local time, if that is used. To be read before the value: a lease may then end late, never
   * early.
   */
  long before() {
    return local == null ? 0 : local.getAsLong();
  }

  /** The time in microseconds since 1970, from the local time or the reply to TIME. */
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
