package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A hold as the servers had it when they were asked.
 *
 * @param id what {@link LockAdmin#breakLock} compares
 * @param side what of the lock it has
 * @param state lease, reservation, minimum hold or maintenance
 * @param holder the label of the holder's manager; for other clients the first characters of what
 *     they wrote, or client and thread of Redisson's. Foreign text: quote it before you show it
 * @param remaining until the hold ends unless it is renewed; empty if it has no end. On a quorum,
 *     until too few nodes have it
 * @param since when the store granted it, by its clock and within a second: taken from the fencing
 *     token, which is the time of the grant in microseconds, or a little later where the clock was
 *     behind an earlier token. Empty where the keys don't tell: for readers, whose tokens are not
 *     times; for permits of a single server, plain keys, timestamps, and Redisson's own holders,
 *     which have no token; and once the fence's key is gone
 * @param fencingToken the token of the store's grant, where the store keeps one. A hold that was
 *     handed over within its process has a larger one, below that of the next grant. Of readers,
 *     which share a counter, the largest of all; on a quorum the largest that a quorum of nodes has
 *     reached; of permits there the last of the numbers set aside for it, a thousand later at most
 * @param permits how many permits of a semaphore; otherwise 1
 * @param votes the servers that have it
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
   * For how long, at most, the holder may go on in the belief that it holds the lock after this
   * hold is broken now: its own deadline is no later than the store's. A holder that is alive
   * learns of it at its next renewal, usually after a third of its lease; one with a fixed lease at
   * its release or deadline. Until then exclusion has ended. Zero for a reservation, a minimum hold
   * and maintenance, where no code runs; empty if the hold has no end.
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
