package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireResult.Held;
import java.time.Duration;

/**
 * How often a name is asked for where the store wakes nobody: about as often as it changes hands.
 *
 * <p>Each refusal tells when the holder's lease ends. If that can't be the same end as the last
 * refusal's, another holds the lock now, or the holder has renewed: the pause is halved. If it can,
 * one hold lasts on, and the pause is doubled. So a waiter behind a hold that lasts asks ever less
 * often, and one behind holds that come and go asks about once for each of them; never more often
 * than the shortest pause allows.
 *
 * <p>An end counts as another if it moved by more than half of the time between the two refusals:
 * nodes of a quorum differ by some milliseconds in when one hold ends.
 *
 * <p>Formats that tell whole seconds show the same end for all holds of a second. Once it has
 * moved, it can't move again before the next second; until then, that it has not says nothing, and
 * the pause stays as it is.
 *
 * <p>One for each cell, guarded by its mutex.
 */
public final class PollingPace {
  /** What rounding, and clocks that drift apart between two refusals, make up. */
  private static final long SLACK = Duration.ofMillis(2).toNanos();

  private boolean anew = true;
  private long pause;

  /** Between these two lies the end that the last refusal told; nothing if it told none. */
  private boolean told;

  private long notBefore;
  private long notAfter;
  private long lookedAt;
  private long saysNothingUntil;

  /**
   * Another waiter begins, with the shortest pause: how long the others waited is nothing to it.
   */
  public void begin() {
    anew = true;
  }

  /**
   * The pause after a refusal.
   *
   * @param askedAt when it was asked, by the ticker
   * @param answeredAt when the refusal came
   */
  public Duration after(Held refusal, long askedAt, long answeredAt, WaitStrategy strategy) {
    long shortest = strategy.shortestPoll().toNanos();
    long longest = strategy.longestPoll().toNanos();
    boolean changed = sees(refusal, askedAt, answeredAt);
    if (anew) {
      pause = shortest;
    } else if (changed) {
      pause /= 2;
    } else if (answeredAt - saysNothingUntil >= 0) {
      pause *= 2;
    }
    anew = false;
    pause = Math.max(shortest, Math.min(pause, longest));
    return Duration.ofNanos(pause);
  }

  /** Takes in what a refusal tells; whether it can't be the hold that the last one told of. */
  private boolean sees(Held refusal, long askedAt, long answeredAt) {
    boolean toldBefore = told;
    told = refusal.tellsAnEnd();
    if (!told) {
      saysNothingUntil = answeredAt;
      return false;
    }
    long left = refusal.retryAfter().toNanos();
    long most = Math.max(SLACK, (askedAt - lookedAt) / 2);
    boolean later = askedAt + left - notAfter > most;
    boolean earlier = notBefore - (answeredAt + left) > most;
    boolean changed = toldBefore && (later || earlier);
    if (changed) {
      saysNothingUntil = answeredAt + refusal.resolution().toNanos();
    } else if (!toldBefore) {
      saysNothingUntil = answeredAt;
    }
    notBefore = askedAt + left;
    notAfter = answeredAt + left;
    lookedAt = askedAt;
    return changed;
  }
}
