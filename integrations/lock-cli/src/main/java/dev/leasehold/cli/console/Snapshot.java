package dev.leasehold.cli.console;

import dev.leasehold.admin.ListedLock;
import dev.leasehold.admin.Omission;
import dev.leasehold.admin.VotingNode;
import dev.leasehold.cli.listing.ListingChanges.What;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The locks as last read.
 *
 * @param number increases with each read, and each addition to the timeline
 * @param seen when the last successful read ended
 * @param took how long it took
 * @param locks the locks in use, at most {@link LockWatcher#MOST}
 * @param more whether there are more
 * @param omissions what could not be listed
 * @param nodes the nodes of a quorum
 * @param timeline the latest changes, newest first
 * @param failure why the last read failed, if it did; the other values are then older
 */
record Snapshot(
    long number,
    Instant seen,
    Duration took,
    List<ListedLock> locks,
    boolean more,
    List<Omission> omissions,
    List<VotingNode> nodes,
    List<Event> timeline,
    Optional<String> failure) {

  /** Returns the snapshot before the first read. */
  static Snapshot none() {
    return new Snapshot(
        0,
        Instant.EPOCH,
        Duration.ZERO,
        List.of(),
        false,
        List.of(),
        List.of(),
        List.of(),
        Optional.empty());
  }

  /** Returns the same snapshot after a later read that failed. */
  Snapshot failed(String why) {
    return new Snapshot(
        number, seen, took, locks, more, omissions, nodes, timeline, Optional.of(why));
  }

  Snapshot numbered(long next, List<Event> events) {
    return new Snapshot(next, seen, took, locks, more, omissions, nodes, events, failure);
  }

  /** A change of one lock. */
  record Event(Instant at, String change, ListedLock lock) {
    static Event of(Instant at, What what, ListedLock lock) {
      return new Event(at, what.name(), lock);
    }
  }
}
