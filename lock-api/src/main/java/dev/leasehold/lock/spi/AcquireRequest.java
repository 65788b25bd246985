package dev.leasehold.lock.spi;

import java.time.Duration;

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
 */
public record AcquireRequest(
    LeaseKey key,
    Duration ttl,
    IfHeld ifHeld,
    boolean again,
    Duration atLeast,
    Duration waited,
    int handOvers,
    LeaseKey waiter) {

  /** A request by one who waits under its own token. */
  public AcquireRequest(
      LeaseKey key,
      Duration ttl,
      IfHeld ifHeld,
      boolean again,
      Duration atLeast,
      Duration waited,
      int handOvers) {
    this(key, ttl, ifHeld, again, atLeast, waited, handOvers, key);
  }

  /** A request that needs one fencing number. */
  public AcquireRequest(
      LeaseKey key, Duration ttl, IfHeld ifHeld, boolean again, Duration atLeast, Duration waited) {
    this(key, ttl, ifHeld, again, atLeast, waited, 0);
  }

  /** A request by one who begins to wait now. */
  public AcquireRequest(
      LeaseKey key, Duration ttl, IfHeld ifHeld, boolean again, Duration atLeast) {
    this(key, ttl, ifHeld, again, atLeast, Duration.ZERO);
  }

  /** The same without a minimum hold. */
  public AcquireRequest(LeaseKey key, Duration ttl, IfHeld ifHeld, boolean again) {
    this(key, ttl, ifHeld, again, Duration.ZERO);
  }

  /** The first request for a token, without a minimum hold. */
  public AcquireRequest(LeaseKey key, Duration ttl, IfHeld ifHeld) {
    this(key, ttl, ifHeld, false);
  }

  @Override
  public String toString() {
    return Quoted.record(
        "AcquireRequest",
        "key",
        key,
        "ttl",
        ttl,
        "ifHeld",
        ifHeld,
        "again",
        again,
        "atLeast",
        atLeast,
        "waited",
        waited,
        "handOvers",
        handOvers,
        "waiter",
        waiter);
  }
}
