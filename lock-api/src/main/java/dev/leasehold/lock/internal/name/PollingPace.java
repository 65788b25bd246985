package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireResult.Held;
import java.time.Duration;

/**
 * The polling interval for a name whose store does not wake waiters: about as often as the lock
 * changes hands.
 *
 * <p>Each refusal states when the holder's lease ends. If that end differs from the last refusal's,
 * another owner holds the lock now, or the holder has renewed: the pause is halved. If it may be
 * the same, the hold probably continues, and the pause is doubled. So a waiter behind a long hold
 * polls ever less often, and a waiter behind short holds polls about once for each of them, but
 * never more often than the shortest pause allows.
 *
 * <p>An end counts as different if it moved by more than half of the time between the two refusals:
 * nodes of a quorum differ by some milliseconds on the end of the same hold.
 *
 * <p>Formats with whole seconds show the same end for all holds of a second. Once the end has
 * moved, it can't move again before the next second; until then an unchanged end means nothing, and
 * the pause stays as it is.
 *
 * <p>Each name has one, guarded by its mutex.
 */
public final class PollingPace {
  /** The error due to rounding, and to clocks that drift apart between two refusals. */
  private static final long SLACK = Duration.ofMillis(2).toNanos();

  private boolean anew = true;
  private long pause;

  /** Whether the last refusal stated an end, between {@code notBefore} and {@code notAfter}. */
  private boolean told;

  private long notBefore;
  private long notAfter;
  private long lookedAt;
  private long saysNothingUntil;

  /**
   * Restarts with the shortest pause, for another waiter: how long the others waited is irrelevant
   * to it.
   */
  public void begin() {
    anew = true;
  }

  /**
   * Returns the pause after a refusal.
   *
   * @param askedAt when the request was sent, by the ticker
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

  /**
   * Processes the end that a refusal states. Returns whether it differs from the one stated before.
   */
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
