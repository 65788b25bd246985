package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;

/**
 * What an examination found out about a server, or about locks on it.
 *
 * @param level how bad it is
 * @param topic what was looked at
 * @param server the server's address; empty for all of them together
 * @param text what was found, in a sentence. It may have a server's words in it: quote it before
 *     you show it
 * @param advice what to do about it; empty if there is nothing to do
 */
public record Finding(Level level, Topic topic, String server, String text, String advice) {

  /** How bad it is, best first. */
  public enum Level {
    /** As it should be. */
    OK,
    /** Worth knowing: a choice that has a price. */
    NOTICE,
    /** Locks work, but not as well as they should, or not for long. */
    WARNING,
    /** Locks do not work, or may be lost. */
    PROBLEM
  }

  /** What was looked at. Topics may be added in any release. */
  public enum Topic {
    /** Whether it answers, what it is and its version. */
    SERVER,
    /** What the settings' user may do. */
    RIGHTS,
    /** Whether it may evict keys. */
    EVICTION,
    /** How close it is to its limit of memory, and of clients. */
    LIMITS,
    /** Whether it still knows its keys after a restart. */
    PERSISTENCE,
    /** Its replicas, and whether they follow. */
    REPLICAS,
    /** How many nodes of a quorum vote. */
    QUORUM,
    /** How far its clock is from this machine's. */
    CLOCK,
    /** How long it takes to answer. */
    LATENCY,
    /** Locks that were taken for a trial. */
    TRIAL,
    /** What managers with these settings promise. */
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
