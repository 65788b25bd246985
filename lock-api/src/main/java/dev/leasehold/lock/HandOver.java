package dev.leasehold.lock;

import dev.leasehold.lock.spi.Setting;
import java.time.Duration;

/**
 * Bounds how long a lock may be handed over from waiter to waiter within one process, without a
 * round trip, before other processes get their turn. The bound reached first ends the run.
 *
 * <p>Where fencing tokens are promised, each hold needs one. A grant reserves tokens for hand-overs
 * only if its holder had to queue in this process or others queue behind it: without a queue at the
 * grant, the release goes to the store.
 *
 * <p>Readers share a lease: up to {@code times} owners may join it until {@code within} has passed,
 * and each may leave and rejoin it as many times.
 *
 * @param times most hand-overs in a row, 0 to 1023; zero disables them
 * @param within time after the store's grant in which hand-overs are allowed, 0 to 1 h
 */
public record HandOver(int times, Duration within) {
  /** The most fencing tokens that a store is asked to reserve with one grant. */
  static final int MOST = 1023;

  private static final Duration LONGEST = Duration.ofHours(1);

  /** 1000 times, within 20 ms. */
  public static HandOver defaults() {
    return new HandOver(1000, Duration.ofMillis(20));
  }

  /** No hand-over: each release frees the lock on the store. */
  public static HandOver none() {
    return new HandOver(0, Duration.ZERO);
  }

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if out of range; the message names value and limit
   */
  public HandOver {
    if (times < 0 || times > MOST) {
      throw new IllegalArgumentException("hand-overs " + times + " are not between 0 and " + MOST);
    }
    if (within.isNegative() || within.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "hand-over time "
              + Setting.written(within)
              + " is not between 0ms and "
              + Setting.written(LONGEST));
    }
  }

  @Override
  public String toString() {
    return "at most " + times + " hand-overs within " + Setting.written(within);
  }
}
