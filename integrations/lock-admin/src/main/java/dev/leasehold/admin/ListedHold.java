package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A hold, as the servers reported it.
 *
 * @param id the id that {@link LockAdmin#breakLock} compares
 * @param side which part of the lock it holds
 * @param state lease, reservation, minimum hold or maintenance
 * @param holder the label of the holder's manager; for other clients the first characters of the
 *     value they wrote, or Redisson's client and thread. Untrusted text: quote it before displaying
 *     it
 * @param remaining time until the hold ends unless it is renewed; empty if it has no end. On a
 *     quorum, until too few nodes have it
 * @param since when the store granted it, by the server's clock, to the second: it is derived from
 *     the fencing token, which is the time of the grant in microseconds, or slightly later if the
 *     clock was behind an earlier token. Empty if the keys do not reveal it: for readers, whose
 *     tokens are not times; for permits on a single server, plain keys, timestamps and Redisson's
 *     own holders, which have no token; and after the fence's key has expired
 * @param fencingToken the token of the store's grant, if the store keeps one. A hold that was
 *     handed over within its process has a larger one, but smaller than that of the next grant.
 *     Readers share a counter, so it is the largest of all readers; on a quorum the largest that a
 *     quorum of nodes has reached; for permits there the last of the numbers reserved for it, at
 *     most a thousand later
 * @param permits the number of permits of a semaphore; otherwise 1
 * @param votes the servers that have the hold
 * @param maintenance reason and end, if the state is {@link HoldState#MAINTENANCE}
 */
public record ListedHold(
    HoldId id,
    Side side,
    HoldState state,
    String holder,
    Optional<Duration> remaining,
    Optional<Instant> since,
    OptionalLong fencingToken,
    int permits,
    Votes votes,
    Optional<Maintenance> maintenance) {

  /**
   * Returns how long the holder may at most continue to believe that it holds the lock if the hold
   * is broken now: its own deadline is never later than the store's. A live holder learns of it at
   * its next renewal, usually within a third of its lease; with a fixed lease, at its release or
   * deadline. Mutual exclusion is suspended until then. Zero for a reservation, a minimum hold and
   * maintenance, which have no running code; empty if the hold has no end.
   */
  public Optional<Duration> believedFor() {
    return state == HoldState.HELD ? remaining : Optional.of(Duration.ZERO);
  }

  @Override
  public String toString() {
    return Quoted.record(
        "Hold",
        "id",
        id,
        "side",
        side,
        "state",
        state,
        "holder",
        holder,
        "remaining",
        remaining,
        "since",
        since,
        "fencingToken",
        fencingToken,
        "permits",
        permits,
        "votes",
        votes,
        "maintenance",
        maintenance);
  }
}
