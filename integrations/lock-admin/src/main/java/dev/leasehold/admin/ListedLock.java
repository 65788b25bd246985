package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A lock that is in use, as the servers had it when they were asked.
 *
 * @param name its name. Foreign text of up to any length: quote it before you show it
 * @param kind what it is
 * @param holds its holds, those with a quorum first, then by how long they last, longest first; at
 *     most {@value #MOST_HOLDS} in a listing
 * @param holders how many holds there are, or permits held, also beyond those in {@code holds}
 * @param waiting how many places there are in its queue; on a quorum, the most on any node
 * @param permits the number of a semaphore's permits, where a key tells
 * @param missing how many count-downs a latch is waiting for
 * @param ends for how long a latch is still valid
 */
public record ListedLock(
    String name,
    KindOfLock kind,
    List<ListedHold> holds,
    long holders,
    long waiting,
    OptionalInt permits,
    OptionalLong missing,
    Optional<Duration> ends) {
  /** The most holds of an entry in a listing. */
  public static final int MOST_HOLDS = 100;

  /** Copies the list. */
  public ListedLock {
    holds = List.copyOf(holds);
  }

  /** Kind and name for messages, quoted: {@code lock 'orders'}. */
  public String named() {
    return kind + " " + Quoted.name(name);
  }

  @Override
  public String toString() {
    return Quoted.record(
        "LockEntry",
        "name",
        name,
        "kind",
        kind,
        "holds",
        holds,
        "holders",
        holders,
        "waiting",
        waiting,
        "permits",
        permits,
        "missing",
        missing,
        "ends",
        ends);
  }
}
