package dev.leasehold.lock;

import dev.leasehold.lock.spi.Setting;
import java.time.Duration;

/**
 * How a waiter asks again. Where the store wakes waiters ({@link Guarantee#WAKE_UP}) {@code
 * longest} is the fall-back for a wake-up that was lost; elsewhere the pause grows from {@code
 * first} to {@code longest}, doubling. Every pause ends early when the holder's lease does, and is
 * jittered.
 *
 * @param first pause after the first refusal, 1 ms to {@code longest}
 * @param longest longest pause, up to 1 min
 */
public record WaitStrategy(Duration first, Duration longest) {
  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration MOST = Duration.ofMinutes(1);

  /** 20 ms, growing to 1 s. */
  public static WaitStrategy defaults() {
    return new WaitStrategy(Duration.ofMillis(20), Duration.ofSeconds(1));
  }

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if a pause is out of range; the message names value and limit
   */
  public WaitStrategy {
    if (first.compareTo(LEAST) < 0 || first.compareTo(longest) > 0) {
      throw new IllegalArgumentException(
          "first pause "
              + Setting.written(first)
              + " is not between "
              + Setting.written(LEAST)
              + " and the longest, "
              + Setting.written(longest));
    }
    if (longest.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "longest pause " + Setting.written(longest) + " is over " + Setting.written(MOST));
    }
  }

  @Override
  public String toString() {
    return "first pause " + Setting.written(first) + ", longest " + Setting.written(longest);
  }
}
