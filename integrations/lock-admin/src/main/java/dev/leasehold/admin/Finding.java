package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;

/**
 * A result of examining a server or the locks on it.
 *
 * @param level its severity
 * @param topic what was examined
 * @param server the server's address; empty if it concerns all of them together
 * @param text the result, as a sentence. It may contain text from a server: quote it before
 *     displaying it
 * @param advice what to do about it; empty if nothing is needed
 */
public record Finding(Level level, Topic topic, String server, String text, String advice) {

  /** Severity, from good to bad. */
  public enum Level {
    /** As recommended. */
    OK,
    /** Worth knowing: a choice with a cost. */
    NOTICE,
    /** Locks work, but slower than they could, or a problem is near. */
    WARNING,
    /** Locks do not work, or may be lost. */
    PROBLEM
  }

  /** What was examined. Topics may be added in any release. */
  public enum Topic {
    /** Whether the server answers, its type and its version. */
    SERVER,
    /** The permissions of the user in the settings. */
    RIGHTS,
    /** Whether the server may evict keys. */
    EVICTION,
    /** How close the server is to its limits of memory and clients. */
    LIMITS,
    /** Whether the server keeps its keys across a restart. */
    PERSISTENCE,
    /** The server's replicas, and whether they are up to date. */
    REPLICAS,
    /** How many nodes of a quorum vote. */
    QUORUM,
    /** The difference between the server's clock and this machine's. */
    CLOCK,
    /** The server's response time. */
    LATENCY,
    /** Locks acquired as a trial. */
    TRIAL,
    /** The guarantees of managers with these settings. */
    PROMISES
  }

  static Finding ok(Topic topic, String server, String text) {
    return new Finding(Level.OK, topic, server, text, "");
  }

  @Override
  public String toString() {
    return Quoted.record(
        "Finding", "level", level, "topic", topic, "server", server, "text", text, "advice",
        advice);
  }
}
