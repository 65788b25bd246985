package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Asks for a lock.
 *
 * @param key name and token
 * @param ttl time to live of the lease, whole milliseconds
 * @param ifHeld what a refused request leaves behind
 * @param again whether this token was asked for before: the store may know it, and may have been
 *     told to give it up
 * @param atLeast how long the lock has to stay taken from the grant on, whatever becomes of its
 *     holder; zero for no such time. {@code ttl} is long enough for it on one server: only a store
 *     that makes its grant of several need look here
 * @param waited how long ago this token was asked for first, zero the first time: its place among
 *     the waiters, also after the store took it out of the line
 * @param handOvers how many fencing numbers beyond its own the lease may need, for holders of this
 *     process that follow one another on it; zero or more, and mostly zero. See {@link
 *     AcquireResult.Granted#handOvers}
 * @param waiter as whom it stands in the line of waiters, and has its turn: of the same name, and
 *     mostly {@code key}. Another where one who waits asks with one token after another
 * @param asksWithin the longest time until one that waits asks again; above zero. A place in the
 *     line for which no question has come for clearly longer is that of a waiter that died
 * @param place on a node of a quorum, its place among the waiters, in microseconds since 1970: the
 *     same on all nodes. Empty where {@code waited} gives it
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
   * The first request for a token: no minimum hold, one fencing number, and a waiter that stands in
   * the line under its own token and asks again within the longest pause that any waiter may have.
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

  /** This request, for a token that was asked for {@linkplain #again before}. */
  public AcquireRequest repeated() {
    return new AcquireRequest(
        key, ttl, ifHeld, true, atLeast, waited, handOvers, waiter, asksWithin, place);
  }

  /** This request with another {@link #atLeast}. */
  public AcquireRequest withAtLeast(Duration minimum) {
    return new AcquireRequest(
        key, ttl, ifHeld, again, minimum, waited, handOvers, waiter, asksWithin, place);
  }

  /** This request with another {@link #waited}. */
  public AcquireRequest withWaited(Duration time) {
    return new AcquireRequest(
        key, ttl, ifHeld, again, atLeast, time, handOvers, waiter, asksWithin, place);
  }

  /** This request with other {@link #handOvers}. */
  public AcquireRequest withHandOvers(int numbers) {
    return new AcquireRequest(
        key, ttl, ifHeld, again, atLeast, waited, numbers, waiter, asksWithin, place);
  }

  /** This request with another {@link #waiter}. */
  public AcquireRequest withWaiter(LeaseKey other) {
    return new AcquireRequest(
        key, ttl, ifHeld, again, atLeast, waited, handOvers, other, asksWithin, place);
  }

  /** This request with another {@link #asksWithin}. */
  public AcquireRequest withAsksWithin(Duration longest) {
    return new AcquireRequest(
        key, ttl, ifHeld, again, atLeast, waited, handOvers, waiter, longest, place);
  }
}
