package dev.leasehold.testkit.history;

import java.time.Duration;
import java.util.Optional;

/**
 * The faults that a history may have seen, and so the failures that locks are responsible for.
 *
 * @param scope whether exclusion must hold under all faults that occurred
 * @param requests whether a request may reach the store after its caller has given up
 * @param longestStay how long a token may stay on the store after its last sign of life without a
 *     confirmed release: the longest lease plus the longest delay; empty if unbounded, and then no
 *     later refusal counts as spurious
 */
public record FaultModel(Scope scope, Requests requests, Optional<Duration> longestStay) {

  /** Whether exclusion must hold. */
  public enum Scope {
    /**
     * Delays, lost messages, pauses, kills, clocks within the drift allowance: exclusion must hold.
     */
    INSIDE,
    /** Lost keys, stepped clocks and the like: holds may overlap; fencing must still hold. */
    OUTSIDE
  }

  /** When requests reach the store. */
  public enum Requests {
    /** While their caller waits for them, or never. */
    IN_TIME,
    /**
     * Possibly again or later: then a token without a holder may block others for the length of a
     * lease, and refusals are not judged.
     */
    STRAY
  }

  /** Exclusion must hold; requests arrive in time; a token's stay is unbounded. */
  public static FaultModel inside() {
    return new FaultModel(Scope.INSIDE, Requests.IN_TIME, Optional.empty());
  }

  /** Holds may overlap; requests arrive in time; a token's stay is unbounded. */
  public static FaultModel outside() {
    return new FaultModel(Scope.OUTSIDE, Requests.IN_TIME, Optional.empty());
  }

  /** This model with a bound on a token's stay. */
  public FaultModel staysAtMost(Duration bound) {
    return new FaultModel(scope, requests, Optional.of(bound));
  }

  /** This model with requests that may arrive again or late. */
  public FaultModel withStrayRequests() {
    return new FaultModel(scope, Requests.STRAY, longestStay);
  }

  /** Until when a token may stay whose last sign of life was at this time. */
  long stayEnd(long lastHeardOf) {
    long end = longestStay.map(stay -> lastHeardOf + stay.toNanos()).orElse(Long.MAX_VALUE);
    return end < lastHeardOf ? Long.MAX_VALUE : end;
  }
}
