package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.internal.calls.Backoff;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.AcquireResult.Held;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long an acquire loop pauses before it asks again. Guarded by the name's mutex. */
public final class Pauses {
  /**
   * How many waiters of a line ask as often as the wait strategy says. One of them notices if a
   * wake-up was lost; those behind them ask less often, the farther behind the less.
   */
  private static final int FRONT = 10;

  /** The longest pause of a waiter far behind, unless the wait strategy's is longer. */
  private static final Duration LONGEST_BEHIND = Duration.ofSeconds(10);

  /** How often to ask; null if the store wakes waiters. */
  private final @Nullable PollingPace pace;

  private final Timing time;

  private final Backoff backoff = new Backoff();
  private boolean refusedBefore;

  /**
   * None yet.
   *
   * @param pace how often to ask a store that does not wake waiters; null for one that does
   */
  public Pauses(@Nullable PollingPace pace, Timing time) {
    this.pace = pace;
    this.time = time;
  }

  /**
   * Returns the pause until a wake-up must be assumed lost, or the next poll is due, but not beyond
   * the end of the holder's lease.
   */
  public Duration afterRefusal(Held held, long askedAt, WaitStrategy strategy) {
    Duration longest = behind(held.ahead(), strategy.longest());
    if (pace != null) {
      if (!refusedBefore) {
        pace.begin();
      }
      longest = time.spread(pace.after(held, askedAt, time.now(), strategy));
      refusedBefore = true;
    }
    Duration lease = held.retryAfter().plusMillis(1);
    return lease.compareTo(longest) < 0 ? lease : longest;
  }

  private static Duration behind(int ahead, Duration longest) {
    if (ahead <= FRONT || longest.compareTo(LONGEST_BEHIND) >= 0) {
      return longest;
    }
    Duration grown = longest.multipliedBy(ahead).dividedBy(FRONT);
    return grown.compareTo(LONGEST_BEHIND) < 0 ? grown : LONGEST_BEHIND;
  }

  /** Returns the pause after a failure, which doubles each time. */
  public Duration afterFailure() {
    return backoff.afterFailure();
  }
}
