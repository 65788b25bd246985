package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * A request to acquire a lock, for one token.
 *
 * @param key name and token
 * @param ttl the requested time to live of the lease, in whole milliseconds
 * @param ifHeld what the store keeps of a request that is refused, such as a place in the queue
 * @param again whether the same token was requested before: the earlier request may have been
 *     granted, or the token released since
 * @param atLeast the minimum time for which the lock stays taken after the grant, even if it is
 *     released earlier; zero if there is none. {@code ttl} is at least as long, so only a store
 *     that combines the grants of several servers has to evaluate it
 * @param waited the time since the first request for this token; zero in the first one. The store
 *     derives the waiter's place in the queue from it, also if it has removed the waiter meanwhile
 * @param handOvers how many fencing numbers to reserve beyond the lease's own, for later holders in
 *     this process to which the lease is handed over; usually zero. See {@link
 *     AcquireResult.Granted#handOvers}
 * @param waiter the name and token under which the waiter stands in the queue; usually {@code key}.
 *     It differs for a waiter that sends each request with a new token, as on a quorum
 * @param asksWithin the longest time until this waiter sends its next request; above zero. A waiter
 *     that has sent none for clearly longer is considered dead
 * @param place on a node of a quorum, the waiter's place in the queue, in microseconds since 1970:
 *     the same on all nodes. If empty, the store derives the place from {@code waited}
 */
public record AcquireRequest(
    LeaseKey key,
    Duration ttl,
    IfHeld ifHeld,
    boolean again,
    Duration atLeast,
    Duration waited,
    int handOvers,
    LeaseKey waiter,
    Duration asksWithin,
    OptionalLong place) {

  /** The longest that {@link dev.leasehold.lock.WaitStrategy} allows. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /**
   * The first request for a token, without a minimum hold and further fencing numbers. The waiter
   * has the place of this token, and repeats the request within the longest pause that {@link
   * dev.leasehold.lock.WaitStrategy} allows.
   */
  public AcquireRequest(LeaseKey key, Duration ttl, IfHeld ifHeld) {
    this(
        key,
        ttl,
        ifHeld,
        false,
        Duration.ZERO,
        Duration.ZERO,
        0,
        key,
        LONGEST_PAUSE,
        OptionalLong.empty());
  }

  /** Returns this request as a repetition: {@link #again} is true. */
  public AcquireRequest repeated() {
    return new AcquireRequest(
        key, ttl, ifHeld, true, atLeast, waited, handOvers, waiter, asksWithin, place);
  }

  /** Returns this request with another {@link #atLeast}. */
  public AcquireRequest withAtLeast(Duration minimum) {
    return new AcquireRequest(
        key, ttl, ifHeld, again, minimum, waited, handOvers, waiter, asksWithin, place);
  }

  /** Returns this request with another {@link #waited}. */
  public AcquireRequest withWaited(Duration time) {
    return new AcquireRequest(
        key, ttl, ifHeld, again, atLeast, time, handOvers, waiter, asksWithin, place);
  }

  /** Returns this request with other {@link #handOvers}. */
  public AcquireRequest withHandOvers(int numbers) {
    return new AcquireRequest(
        key, ttl, ifHeld, again, atLeast, waited, numbers, waiter, asksWithin, place);
  }

  /** Returns this request with another {@link #waiter}. */
  public AcquireRequest withWaiter(LeaseKey other) {
    return new AcquireRequest(
        key, ttl, ifHeld, again, atLeast, waited, handOvers, other, asksWithin, place);
  }

  /** Returns this request with another {@link #asksWithin}. */
  public AcquireRequest withAsksWithin(Duration longest) {
    return new AcquireRequest(
        key, ttl, ifHeld, again, atLeast, waited, handOvers, waiter, longest, place);
  }
}
