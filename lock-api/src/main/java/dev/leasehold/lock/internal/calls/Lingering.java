package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a manager keeps leases for a while after a release. Immutable.
 *
 * @param store issues the tokens that other managers can recall
 * @param time for how long without a holder
 */
public record Lingering(RecallStore store, Duration time) {
  /**
   * How many fencing numbers a grant reserves: one for each time that the lease is taken again. As
   * many microseconds are soon over, so a process that dies leaves the numbers hardly ahead of the
   * server's clock.
   */
  public static final int NUMBERS = 10_000;

  /** How often a caller that does not wait recalls a lease, and asks again. */
  public static final int MOST_RECALLS = 2;

  /** The shortest time in which another process gives back a lease that it does not use. */
  private static final Duration SHORTEST_RECALL = Duration.ofMillis(2);

  /**
   * Returns null for a time of zero.
   *
   * @throws LockConfigurationException if the manager does not promise it
   */
  public static @Nullable Lingering of(Duration time, LeaseStore store, Set<Guarantee> promised) {
    if (time.isZero()) {
      return null;
    }
    if (promised.contains(Guarantee.LINGER) && store instanceof RecallStore recalls) {
      return new Lingering(recalls, time);
    }
    throw new LockConfigurationException(
        "lock.linger = "
            + Setting.written(time)
            + ": this manager does not promise LINGER, since its store can't ask another process to"
            + " give a lease back; "
            + KnownBackends.promising(Guarantee.LINGER)
            + " can. Use one of them, or lock.linger = 0");
  }

  /**
   * How long to wait for another process to give back what was recalled: until the recall and the
   * release have reached the store. That takes one round trip and a half, or one less if the
   * refusal itself was the recall. Longer the second time, since that process may have to wait for
   * a processor.
   *
   * @param roundTrip how long the store took to refuse
   * @param recalls how often the lease was recalled, from 1
   */
  public static Duration recallPause(Duration roundTrip, int recalls) {
    Duration twice = roundTrip.multipliedBy(2);
    Duration first = twice.compareTo(SHORTEST_RECALL) > 0 ? twice : SHORTEST_RECALL;
    return first.multipliedBy(2L * recalls - 1);
  }

  /**
   * How long a waiter holds back its next request, after a refusal that has recalled the lease. If
   * it is subscribed by then, that request asks for a place in the queue. The lease's process heard
   * of it when the refusal was sent, so an unused lease is released while the next request is on
   * its way: a request that arrives a moment later is granted, and one that arrives before waits
   * for a wake-up, which costs a round trip more.
   *
   * @param roundTrip how long the store took to refuse
   */
  public static Duration returnPause(Duration roundTrip) {
    Duration part = roundTrip.dividedBy(4);
    return part.compareTo(SHORTEST_RECALL) < 0 ? part : SHORTEST_RECALL;
  }

  /** Returns whether leases with these options are kept. */
  public boolean appliesTo(LockOptions options) {
    return options.renewal() == Renewal.AUTOMATIC
        && options.atLeast().isZero()
        && options.handOver().times() > 0;
  }
}
