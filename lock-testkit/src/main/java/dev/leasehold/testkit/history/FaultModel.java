package dev.leasehold.testkit.history;

import java.time.Duration;
import java.util.Optional;

/**
 * What may have gone wrong around a history, and so what the locks are to blame for.
 *
 * @param scope whether all faults were among those that exclusion must bear
 * @param requests whether a request may come to the store when nobody waits for it any more
 * @param longestStay how long a token may stay on the store after the last that was heard of it
 *     without a confirmed release: the longest lease and the longest delay; empty if it has no
 *     bound, and then nothing after it counts as refused for no reason
 */
public record FaultModel(Scope scope, Requests requests, Optional<Duration> longestStay) {

  /** Whether exclusion had to hold. */
  public enum Scope {
    /** Delays, losses, pauses, kills, clocks within the drift allowance: exclusion must hold. */
    INSIDE,
    /** Lost keys, stepped clocks and the like: holds may overlap; fencing must hold. */
    OUTSIDE
  }

  /** When requests come to the store. */
  public enum Requests {
    /** While their caller waits for them, or never. */
    IN_TIME,
    /**
     * Perhaps once more, or later: then a token that nobody holds may keep others out for the
     * length of a lease, and refusals are not judged.
     */
    STRAY
  }

  /** Exclusion had to hold; requests come in time; a stay has no bound. */
  public static FaultModel inside() {
    return new FaultModel(Scope.INSIDE, Requests.IN_TIME, Optional.empty());
  }

  /** Holds may overlap; requests come in time; a stay has no bound. */
  public static FaultModel outside() {
    return new FaultModel(Scope.OUTSIDE, Requests.IN_TIME, Optional.empty());
  }

  /** This model with a bound for what stays on the store. */
  public FaultModel staysAtMost(Duration bound) {
    return new FaultModel(scope, requests, Optional.of(bound));
  }

  /** This model with requests that may come again or late. */
  public FaultModel withStrayRequests() {
    return new FaultModel(scope, Requests.STRAY, longestStay);
  }

  /** Until when something may stay that was last heard of at this time. */
  long stayEnd(long lastHeardOf) {
    long end = longestStay.map(stay -> lastHeardOf + stay.toNanos()).orElse(Long.MAX_VALUE);
    return end < lastHeardOf ? Long.MAX_VALUE : end;
  }
}
