package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.Optional;

/**
 * A place in a lock's queue. Without fairness it is a process's, in which many threads may wait; in
 * a fair queue each acquisition has its own. Waiters that poll, or have asked only once, have none.
 *
 * @param place from 1, which is served first
 * @param holder the label of the waiter's manager, or Redisson's client and thread. Untrusted text:
 *     quote it before displaying it
 * @param side which part of the lock it waits for
 * @param permits the number of permits it wants; otherwise 1
 * @param waiting how long it has waited, by the server's clock; empty in Redisson's fair queue,
 *     which stores no arrival time
 * @param votes the servers that have it in their queue
 */
public record QueuedWaiter(
    int place, String holder, Side side, int permits, Optional<Duration> waiting, Votes votes) {
  @Override
  public String toString() {
    return Quoted.record(
        "Waiter", "place", place, "holder", holder, "side", side, "permits", permits, "waiting",
        waiting, "votes", votes);
  }
}
