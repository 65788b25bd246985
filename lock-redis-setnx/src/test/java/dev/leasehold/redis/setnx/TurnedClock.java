package dev.leasehold.redis.setnx;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A wall clock that stands still until a test turns it. Microseconds since 1970. Thread-safe. */
final class TurnedClock {
  private final AtomicLong micros;

  TurnedClock(long micros) {
    this.micros = new AtomicLong(micros);
  }

  /** Some day in 2023, in the middle of a second. */
  static TurnedClock somewhen() {
    return new TurnedClock(1_700_000_000_654_321L);
  }

  long micros() {
    return micros.get();
  }

  void set(long value) {
    micros.set(value);
  }

  void pass(Duration time) {
    micros.addAndGet(time.toNanos() / 1000);
  }

  WallClock wallClock() {
    return WallClock.local(this::micros);
  }
}
