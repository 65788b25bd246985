package dev.leasehold.testkit;

import java.time.Duration;

/**
 * The one place that says how slow this machine is: {@code -Dleasehold.timescale=3} makes every
 * lease and every patience of the suite three times as long.
 */
public final class TimeScale {
  private static final double SCALE =
      Double.parseDouble(System.getProperty("leasehold.timescale", "1"));

  private TimeScale() {}

  /** So many milliseconds on a machine of ordinary speed. */
  public static Duration millis(long millis) {
    return Duration.ofMillis(Math.round(millis * SCALE));
  }

  /** So many seconds on a machine of ordinary speed. */
  public static Duration seconds(long seconds) {
    return millis(seconds * 1000);
  }
}
