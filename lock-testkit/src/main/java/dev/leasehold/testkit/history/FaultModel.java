package dev.leasehold.testkit.history;

import java.time.Duration;
import java.util.Optional;

/**
 * What may have gone wrong around a history, and so what the locks are to blame for.
 *
 * @param scope whether all faults were among those that exclusion must bear
 * @param longestStay how long a token may stay on the store after the last that was heard of it
 *     without a confirmed release: the longest lease and the longest delay; empty if it has no
 *     bound, and then nothing after it counts as refused for no reason
 */
public record FaultModel(Scope scope, Optional<Duration> longestStay) {

  /** Whether exclusion had to hold. */
  public enum Scope {
    /** Delays, losses, pauses, kills, clocks within the drift allowance: exclusion must hold. */
    INSIDE,
    /** Lost keys, stepped clocks and the like: holds may overlap; fencing must hold. */
    OUTSIDE
  }

  /** Exclusion had to hold; a stay has no bound. */
  public static FaultModel inside() {
    return new FaultModel(Scope.INSIDE, Optional.empty());
  }

  /** Holds may overlap; a stay has no bound. */
  public static FaultModel outside() {
    return new FaultModel(Scope.OUTSIDE, Optional.empty());
  }

  /** This model with a bound for what stays on the store. */
  public FaultModel staysAtMost(Duration bound) {
    return new FaultModel(scope, Optional.of(bound));
  }

  /** Until when something may stay that was last heard of at this time. */
  long stayEnd(long lastHeardOf) {
    long end = longestStay.map(stay -> lastHeardOf + stay.toNanos()).orElse(Long.MAX_VALUE);
    return end < lastHeardOf ? Long.MAX_VALUE : end;
  }
}
