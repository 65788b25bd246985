package dev.leasehold.lock.spi;

import dev.leasehold.lock.Guarantee;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A store that can keep a lock taken after its holder has let it go, so that a job that was quick
 * is not run again by a process whose clock is behind. It declares {@link Guarantee#MINIMUM_HOLD}.
 *
 * <p>What stays is a <i>tombstone</i>: to acquire and to renew, it is another's lease, also for the
 * token that left it. It ends by itself, on the store; nobody holds it, and nobody is woken when it
 * begins.
 */
public interface MinimumHold extends LeaseStore {

  /**
   * Lets a lease go, and keeps the lock taken for a while, as one atomic step.
   *
   * <p>If the token holds the lock, a tombstone takes its place, for {@code rest} or for as long as
   * the lease would have lasted, whichever is less. If the token's tombstone is there already,
   * nothing changes: so a repeated or late request prolongs nothing.
   *
   * @param rest how long the lock is to stay taken from now, whole milliseconds, at least 1
   * @return {@link ReleaseResult#KEPT} if the tombstone is there, else {@link
   *     ReleaseResult#NOT_OWNER}
   */
  CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest);
}
