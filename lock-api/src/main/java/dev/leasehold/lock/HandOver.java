package dev.leasehold.lock;

import dev.leasehold.lock.spi.Setting;
import java.time.Duration;

/**
 * How long a lock may pass from waiter to waiter within one process, without a round trip, before
 * other processes get their turn. Whichever bound is met first ends the run.
 *
 * <p>Where fencing tokens are promised, each hold needs one. They are set aside by the grant, if
 * its holder had to queue in this process, or others queue behind it: the first one after a quiet
 * time is followed by a release.
 *
 * <p>Readers stand on a lease together: as many owners may join one as {@code times} says, until
 * {@code within}, and each of them may leave it and come again as often.
 *
 * @param times most hand-overs in a row, 0 to 1023; zero switches them off
 * @param within no hand-over later than this after the store's grant
 */
public record HandOver(int times, Duration within) {
  /** So many fencing tokens a store is asked to set aside with a grant, at most. */
  static final int MOST = 1023;

  /** 1000 times, within 20 ms. */
  public static HandOver defaults() {
    return new HandOver(1000, Duration.ofMillis(20));
  }

  /** No hand-over: each release frees the lock for everybody. */
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
    if (within.isNegative()) {
      throw new IllegalArgumentException(
          "hand-over time " + Setting.written(within) + " is negative");
    }
  }

  @Override
  public String toString() {
    return "at most " + times + " hand-overs within " + Setting.written(within);
  }
}
