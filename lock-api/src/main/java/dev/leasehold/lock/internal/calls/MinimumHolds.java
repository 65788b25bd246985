package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The arithmetic of minimum holds. It is done when a lease begins and when it ends; in between
 * there is no timer, and nothing is renewed.
 *
 * <p>The store is asked for a time to live that outlasts the minimum, in case the holder dies. The
 * rest at a release is counted from the grant's reply, since the request may have taken long to
 * reach the store; and the drift is that of the whole minimum, since either clock may have been
 * fast all the time. Stateless.
 */
public final class MinimumHolds {
  private MinimumHolds() {}

  /** Returns the time to live to ask for. */
  public static Duration ttl(LockOptions options) {
    Duration lease = Drift.wholeMillis(options.lease());
    Duration minimum = onStore(options.atLeast());
    return minimum.compareTo(lease) > 0 ? minimum : lease;
  }

  /**
   * Returns when a hold ends for its holder: a fixed lease ends at its own time, even if the store
   * keeps the lock for longer.
   *
   * @param granted the deadline of the time to live that was asked for
   */
  public static long deadline(LockOptions options, long granted) {
    if (options.renewal() == Renewal.AUTOMATIC) {
      return granted;
    }
    Duration lease = Drift.wholeMillis(options.lease());
    return granted - (Drift.deadline(0, ttl(options)) - Drift.deadline(0, lease));
  }

  /** Returns the rest of a minimum hold for the store to keep; zero if there is none. */
  public static Duration rest(Duration atLeast, Duration sinceGrant) {
    Duration rest = onStore(atLeast).minus(sinceGrant);
    return rest.isNegative() ? Duration.ZERO : Drift.wholeMillis(rest);
  }

  private static Duration onStore(Duration atLeast) {
    return atLeast.isZero() ? atLeast : Drift.ttlFor(atLeast);
  }

  /** Releases a lease, kept for the rest of its minimum hold if there is one. */
  static CompletionStage<ReleaseResult> giveBack(LeaseStore store, LeaseKey lease, Duration rest) {
    return rest.isZero() ? store.release(lease) : ((MinimumHold) store).keep(lease, rest);
  }

  /**
   * Refuses options that a store can't keep.
   *
   * @throws LockConfigurationException naming the option, the limit and a way out
   */
  public static void check(LockOptions options, LeaseStore store, Set<Guarantee> promised) {
    Duration atLeast = options.atLeast();
    if (atLeast.isZero()) {
      return;
    }
    if (!promised.contains(Guarantee.MINIMUM_HOLD) || !(store instanceof MinimumHold)) {
      throw new LockConfigurationException(
          "a minimum hold (atLeast, lock.at-least) of "
              + Setting.written(atLeast)
              + ": this manager does not promise MINIMUM_HOLD, since its store can't keep a lock"
              + " that was released; "
              + KnownBackends.promising(Guarantee.MINIMUM_HOLD)
              + " can. Use one of them, or no minimum");
    }
    store.checkLongest("a minimum hold (atLeast, lock.at-least)", atLeast);
  }
}
