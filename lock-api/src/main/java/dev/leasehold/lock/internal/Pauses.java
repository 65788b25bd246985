package dev.leasehold.lock.internal;

import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireResult.Held;
import java.time.Duration;

/** How long an attempt pauses before it asks again. Guarded by the cell's mutex. */
final class Pauses {
  private final PollingPace pace;
  private final Timing time;

  /** Whether the store wakes waiters. */
  private final boolean wakes;

  private final Backoff backoff = new Backoff();
  private boolean refusedBefore;

  Pauses(PollingPace pace, Timing time, boolean wakes) {
    this.pace = pace;
    this.time = time;
    this.wakes = wakes;
  }

  /** Until a wake-up may have been lost, or it is time to look; but no longer than the lease. */
  Duration afterRefusal(Held held, long askedAt, WaitStrategy strategy) {
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
  Duration afterFailure() {
    return backoff.afterFailure();
  }
}
