package dev.leasehold.lock.internal;

import java.time.Duration;

/** The defaults and ranges of a manager's time settings. */
public final class EngineLimits {
  /** Of one store call. */
  public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(2);

  /** Of a store that is out of reach. */
  public static final Duration DEFAULT_STORE_TIMEOUT = Duration.ofSeconds(10);

  /** For holders, when the manager closes. */
  public static final Duration DEFAULT_CLOSE_GRACE = Duration.ofSeconds(5);

  /** Of both time-outs. */
  public static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);

  /** Of one store call. */
  public static final Duration LONGEST_COMMAND_TIMEOUT = Duration.ofHours(1);

  /** Of a store that is out of reach. */
  public static final Duration LONGEST_STORE_TIMEOUT = Duration.ofDays(1);

  /** For holders, when the manager closes. */
  public static final Duration LONGEST_CLOSE_GRACE = Duration.ofHours(1);

  /** For a lease that is kept after a release. */
  public static final Duration LONGEST_LINGER = Duration.ofSeconds(10);

  private EngineLimits() {}
}
