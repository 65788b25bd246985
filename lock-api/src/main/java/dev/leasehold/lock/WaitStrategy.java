package dev.leasehold.lock;

import dev.leasehold.lock.spi.Setting;
import java.time.Duration;

/**
 * How a waiter asks again.
 *
 * <p>Where the store wakes waiters ({@link Guarantee#WAKE_UP}) they need not ask: {@code longest}
 * is the safety net for a wake-up that was lost.
 *
 * <p>Elsewhere they poll. The pause begins with {@code shortestPoll} and follows how long holds
 * last: it is doubled, up to {@code longestPoll}, while one holder keeps the lock, and halved when
 * the lock has changed hands meanwhile. Lower {@code longestPoll} if others take the lock again
 * without a pause, and a waiter here has to be beside them the moment that it is free.
 *
 * <p>Every pause ends early when the holder's lease does, and is jittered by up to a tenth more.
 *
 * @param longest longest pause where the store wakes waiters, 1 ms to 1 min
 * @param shortestPoll shortest pause where it wakes nobody, 1 ms to {@code longestPoll}
 * @param longestPoll longest pause where it wakes nobody, up to 1 min
 */
public record WaitStrategy(Duration longest, Duration shortestPoll, Duration longestPoll) {
  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration MOST = Duration.ofMinutes(1);

  /** A second where waiters are woken; elsewhere from 20 ms to a second. */
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
