package dev.leasehold.redis.common;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps a server that may have forgotten locks from voting in a quorum before all of them are over:
 * one that was started again, or was taken back to what a replica had. The server's key {@code
 * lh:node} tells which run and which data of it are known, since when, and how long leases are;
 * {@code history.lua}, {@code voters.lua}, {@code guard.lua} and {@code enter.lua} tell more.
 */
public final class RunGuard {
  static final String MARKER_NAME = "lh:node";
  private static final Pattern RUN_ID = Pattern.compile("^run_id:(\\w+)", Pattern.MULTILINE);

  /**
   * However short leases are. Fences may lead a server's clock by a second, and that of one which
   * forgot them follows its clock: it must be beyond them, and beyond what clocks differ by.
   */
  private static final Duration LEAST = Duration.ofSeconds(2);

  private RunGuard() {}

  /** For how long a server stays out that may have forgotten locks of such leases. */
  public static Duration staysOutFor(Duration longestLease) {
    return longestLease.compareTo(LEAST) > 0 ? longestLease : LEAST;
  }

  /**
   * The run that a server's {@code INFO server} tells.
   *
   * @throws IllegalArgumentException if it tells none
   */
  public static String runId(String info) {
    Matcher m = RUN_ID.matcher(info);
    if (!m.find()) {
      throw new IllegalArgumentException("INFO server tells no run_id");
    }
    return m.group(1);
  }

  /** Tells the server that this run was met, by a new client with such leases. */
  public static ScriptRequest enter(String runId, Duration longestLease) {
    return new NodeVoter(longestLease, KeySpace.WHOLE).enter(runId);
  }

  /** A script that takes a lock, guarded, by a client that tells no nodes. */
  public static ScriptRequest guard(
      ScriptRequest request, Script guarded, String runId, Duration longestLease) {
    return new NodeVoter(longestLease, KeySpace.WHOLE).guard(request, guarded, runId);
  }
}
