package dev.leasehold.redis.common;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps a server that may have forgotten locks from voting in a quorum until all of them have
 * ended: a server that was restarted, or reset to a replica's data. The server's key {@code
 * lh:node} records the known run and data, since when they are known, and the longest lease; {@code
 * history.lua}, {@code usual.lua}, {@code voters.lua}, {@code guard.lua} and {@code enter.lua}
 * describe it.
 */
public final class RunGuard {
  static final String MARKER_NAME = "lh:node";
  private static final Pattern RUN_ID = Pattern.compile("^run_id:(\\w+)", Pattern.MULTILINE);

  /**
   * The least quarantine, however short leases are. Fences may be a second ahead of a server's
   * clock, and a server that has forgotten them draws new ones from its clock: by then that must be
   * beyond them, and beyond the differences between clocks.
   */
  private static final Duration LEAST = Duration.ofSeconds(2);

  private RunGuard() {}

  /** How long a server that may have forgotten locks stays out, for leases up to this length. */
  public static Duration staysOutFor(Duration longestLease) {
    return longestLease.compareTo(LEAST) > 0 ? longestLease : LEAST;
  }

  /**
   * The run id in a server's {@code INFO server}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static String runId(String info) {
    Matcher m = RUN_ID.matcher(info);
    if (!m.find()) {
      throw new IllegalArgumentException("INFO server has no run_id");
    }
    return m.group(1);
  }
}
