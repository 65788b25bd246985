package dev.leasehold.testkit;

import java.time.Duration;

/**
 * Scales times for slow machines, in this one place: {@code -Dleasehold.timescale=3} makes every
 * lease and every time limit of the suite three times as long.
 */
public final class TimeScale {
  private static final double SCALE =
      Double.parseDouble(System.getProperty("leasehold.timescale", "1"));

  private TimeScale() {}

  /** This many milliseconds, multiplied by the time scale. */
  public static Duration millis(long millis) {
    return Duration.ofMillis(Math.round(millis * SCALE));
  }

  /** This many seconds, multiplied by the time scale. */
  public static Duration seconds(long seconds) {
    return millis(seconds * 1000);
  }
}
