package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.AcquireResult.Held;
import java.time.Duration;

/** How long an attempt pauses before it asks again. Guarded by the cell's mutex. */
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

  /** Until a wake-up may have been lost, or it is time to look; but no longer than the lease. */
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

  /** Twice as long each time. */
  public Duration afterFailure() {
    return backoff.afterFailure();
  }
}
