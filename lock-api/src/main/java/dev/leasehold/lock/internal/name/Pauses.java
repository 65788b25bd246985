package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.AcquireResult.Held;
import java.time.Duration;

/** How long an acquire loop pauses before it asks again. Guarded by the name's mutex. */
public final class Pauses {
  private final PollingPace pace;
  private final Timing time;

  /** Whether the store wakes waiters. */
  private final boolean wakes;

  private final Backoff backoff = new Backoff();
  private boolean refusedBefore;

  public Pauses(PollingPace pace, Timing time, boolean wakes) {
    this.pace = pace;
    this.time = time;
    this.wakes = wakes;
  }

  /**
   * Returns the pause until a wake-up must be assumed lost, or the next poll is due, but not beyond
   * the end of the holder's lease.
   */
  public Duration afterRefusal(Held held, long askedAt, WaitStrategy strategy) {
    Duration longest = strategy.longest();
    if (!wakes) {
      if (!refusedBefore) {
        pace.begin();
      }
      longest = time.spread(pace.after(held, askedAt, time.now(), strategy));
      refusedBefore = true;
    }
    Duration lease = held.retryAfter().plusMillis(1);
    return lease.compareTo(longest) < 0 ? lease : longest;
  }

  /** Returns the pause after a failure, which doubles each time. */
  public Duration afterFailure() {
    return backoff.afterFailure();
  }
}
