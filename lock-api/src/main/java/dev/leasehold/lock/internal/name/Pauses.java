package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.AcquireResult.Held;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long an attempt pauses before it asks again. Guarded by the cell's mutex. */
public final class Pauses {
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

  /** Until a wake-up may have been lost, or it is time to look; but no longer than the lease. */
  public Duration afterRefusal(Held held, long askedAt, WaitStrategy strategy) {
    Duration longest = strategy.longest();
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

  /** Twice as long each time. */
  public Duration afterFailure() {
    return backoff.afterFailure();
  }
}
