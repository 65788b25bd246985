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
 * What was seen last.
 *
 * @param number counts the looks, and what is added to the timeline
 * @param seen when the look that succeeded last ended
 * @param took how long that took
 * @param locks those that are in use, at most {@link LockWatcher#MOST}
 * @param more whether there are more
 * @param omissions what can't be listed
 * @param nodes those of a quorum
 * @param timeline the latest changes, newest first
 * @param failure why the last look failed, if it did: then the rest is older
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

  /** Before the first look. */
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

  /** The same, since the look after it failed. */
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
