package dev.leasehold.testkit.sim;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * A machine's monotonic clock in relation to the world's time.
 *
 * @param origin its value at the start of the world, in nanoseconds; may be close to overflow
 * @param partsPerMillion how much faster it runs (slower, if negative)
 */
public record SimClock(long origin, int partsPerMillion) {
  private static final double MILLION = 1e6;
  private static final int SLOWEST = -900_000;

  /** Checks that it moves forward. */
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

  /** Faster by this much; slower, if negative. */
  public static SimClock fasterBy(int partsPerMillion) {
    return new SimClock(0, partsPerMillion);
  }

  /**
   * A random origin, sometimes close to overflow, and a random rate up to {@code most} parts per
   * million faster or slower. Two such clocks differ by at most twice that; the engine allows 10
   * 000.
   */
  public static SimClock random(RandomGenerator random, int most) {
    long origin =
        random.nextInt(4) == 0
            ? Long.MAX_VALUE - random.nextLong(Duration.ofMinutes(1).toNanos())
            : random.nextLong();
    return new SimClock(origin, random.nextInt(-most, most + 1));
  }

  /** Its value at a world time. */
  long at(long worldNanos) {
    return origin + elapsed(worldNanos);
  }

  /** How far it has advanced since the start of the world. */
  long elapsed(long worldNanos) {
    return worldNanos + (long) (worldNanos * (partsPerMillion / MILLION));
  }

  /** The smallest world delay from {@code now} after which it has advanced by this much. */
  long worldDelay(long now, long nanos) {
    long delay = (long) (nanos / (1 + partsPerMillion / MILLION));
    while (elapsed(now + delay) - elapsed(now) < nanos) {
      delay++;
    }
    return delay;
  }
}
