package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A lock in use, as the servers reported it.
 *
 * @param name its name. Untrusted text of any length: quote it before displaying it
 * @param kind its kind
 * @param holds its holds, at most {@value #MOST_HOLDS} in a listing: first those with a quorum,
 *     then by remaining time, longest first
 * @param holders the total number of holds, or of permits held, including those not in {@code
 *     holds}
 * @param waiting the length of its queue; on a quorum, the longest of all nodes
 * @param permits the number of permits of a semaphore, if a key reveals it
 * @param missing the number of count-downs that a latch still needs
 * @param ends how long a latch remains valid
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

  /** Returns kind and name for messages, quoted: {@code lock 'orders'}. */
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
