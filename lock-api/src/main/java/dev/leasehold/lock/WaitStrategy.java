package dev.leasehold.lock;

import dev.leasehold.lock.spi.Setting;
import java.time.Duration;

/**
 * How often a waiter asks the store again.
 *
 * <p>Where the store wakes waiters ({@link Guarantee#WAKE_UP}), polling is unnecessary: {@code
 * longest} only bounds the delay after a lost wake-up. A waiter that knows of more than ten others
 * ahead of it in line asks less often, the farther behind the less, but at least every ten seconds:
 * those ahead notice a lost wake-up.
 *
 * <p>Elsewhere waiters poll. The pause starts at {@code shortestPoll} and adapts to how long holds
 * last: it doubles, up to {@code longestPoll}, while one holder keeps the lock, and halves when the
 * lock has changed hands in the meantime. Lower {@code longestPoll} if other clients re-acquire the
 * lock without a pause and a waiter here must compete the moment it is free.
 *
 * <p>Every pause ends early when the holder's lease does, and is lengthened by a jitter of up to a
 * tenth.
 *
 * @param longest longest pause where the store wakes waiters, 1 ms to 1 min
 * @param shortestPoll shortest pause where the store does not wake waiters, 1 ms to {@code
 *     longestPoll}
 * @param longestPoll longest pause where the store does not wake waiters, 1 ms to 1 min
 */
public record WaitStrategy(Duration longest, Duration shortestPoll, Duration longestPoll) {
  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration MOST = Duration.ofMinutes(1);

  /** At most 1 s where waiters are woken; elsewhere from 20 ms to 1 s. */
  public static WaitStrategy defaults() {
    Duration second = Duration.ofSeconds(1);
    return new WaitStrategy(second, Duration.ofMillis(20), second);
  }

  /**
   * The same pause after each refusal, whether the store wakes waiters or not.
   *
   * @param pause 1 ms to 1 min
   * @throws IllegalArgumentException if it is out of range; the message names value and limit
   */
  public static WaitStrategy every(Duration pause) {
    return new WaitStrategy(pause, pause, pause);
  }

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if a pause is out of range; the message names value and limit
   */
  public WaitStrategy {
    check("longest pause", longest);
    check("longest pause of polling", longestPoll);
    if (shortestPoll.compareTo(LEAST) < 0 || shortestPoll.compareTo(longestPoll) > 0) {
      throw new IllegalArgumentException(
          "shortest pause of polling "
              + Setting.written(shortestPoll)
              + " is not between "
              + Setting.written(LEAST)
              + " and the longest, "
              + Setting.written(longestPoll));
    }
  }

  private static void check(String what, Duration pause) {
    if (pause.compareTo(LEAST) < 0 || pause.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          what
              + " "
              + Setting.written(pause)
              + " is not between "
              + Setting.written(LEAST)
              + " and "
              + Setting.written(MOST));
    }
  }

  @Override
  public String toString() {
    return "longest pause "
        + Setting.written(longest)
        + ", polling every "
        + Setting.written(shortestPoll)
        + " to "
        + Setting.written(longestPoll);
  }
}
