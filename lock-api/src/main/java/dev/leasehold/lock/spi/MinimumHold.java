package dev.leasehold.lock.spi;

import dev.leasehold.lock.Guarantee;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A store that can keep a lock taken after its holder has released it, so that a short job is not
 * run again by a process whose clock is behind. It declares {@link Guarantee#MINIMUM_HOLD}.
 *
 * <p>A <i>tombstone</i> takes the place of the lease: acquisitions and renewals treat it as another
 * token's lease, even those of the token that left it. It has no holder, expires on the store, and
 * wakes no waiter when it begins.
 */
public interface MinimumHold extends LeaseStore {

  /**
   * Releases a lease and keeps the lock taken for a while, as one atomic step.
   *
   * <p>If the token holds the lock, a tombstone takes its place, for {@code rest} or for as long as
   * the lease would have lasted, whichever is less. If the token's tombstone exists already,
   * nothing changes, so a repeated or late request does not prolong it.
   *
   * @param rest how long the lock is to stay taken from now, whole milliseconds, at least 1
   * @return {@link ReleaseResult#KEPT} if the tombstone exists, else {@link
   *     ReleaseResult#NOT_OWNER}
   */
  CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest);
}
