package dev.leasehold.testkit.sim;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How a machine's monotonic clock differs from the world's time.
 *
 * @param origin what it shows when the world begins, in nanoseconds; may be such that it overflows
 * @param partsPerMillion by how much it runs faster (or slower, if negative)
 */
public record SimClock(long origin, int partsPerMillion) {
  private static final double MILLION = 1e6;
  private static final int SLOWEST = -900_000;

  /** Checks that it goes forward. */
  public SimClock {
    if (partsPerMillion < SLOWEST) {
      throw new IllegalArgumentException(
          partsPerMillion + " parts per million is below " + SLOWEST);
    }
  }

  /** The world's time. */
  public static SimClock exact() {
    return new SimClock(0, 0);
  }

  /** Faster by so much; slower, if negative. */
  public static SimClock fasterBy(int partsPerMillion) {
    return new SimClock(0, partsPerMillion);
  }

  /**
   * Any origin, some of them about to overflow, and any rate up to {@code most} parts per million
   * faster or slower. Two such clocks differ by twice that; the engine allows 10 000.
   */
  public static SimClock random(RandomGenerator random, int most) {
    long origin =
        random.nextInt(4) == 0
            ? Long.MAX_VALUE - random.nextLong(Duration.ofMinutes(1).toNanos())
            : random.nextLong();
    return new SimClock(origin, random.nextInt(-most, most + 1));
  }

  /** What it shows. */
  long at(long worldNanos) {
    return origin + elapsed(worldNanos);
  }

  /** How far it got since the world began. */
  long elapsed(long worldNanos) {
    return worldNanos + (long) (worldNanos * (partsPerMillion / MILLION));
  }

  /** The least world time from {@code now} after which it has advanced by so much. */
  long worldDelay(long now, long nanos) {
    long delay = (long) (nanos / (1 + partsPerMillion / MILLION));
    while (elapsed(now + delay) - elapsed(now) < nanos) {
      delay++;
    }
    return delay;
  }
}
