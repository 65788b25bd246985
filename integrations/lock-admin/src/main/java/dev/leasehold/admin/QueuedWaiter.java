package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.Optional;

/**
 * A place in a lock's queue. Without fairness it is that of a process, which may have many threads
 * waiting behind it; in a fair queue each acquisition has its own. A waiter that polls, or has not
 * asked a second time yet, has none.
 *
 * @param place from 1, the first to be served
 * @param holder the label of the waiter's manager, or client and thread of Redisson's. Foreign
 *     text: quote it before you show it
 * @param side what it waits for
 * @param permits how many permits it wants; otherwise 1
 * @param waiting for how long it has waited, by the server's clock; empty in Redisson's fair queue,
 *     which stores no arrival
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
