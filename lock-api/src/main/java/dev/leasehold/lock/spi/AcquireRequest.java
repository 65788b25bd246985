package dev.leasehold.lock.spi;

import java.time.Duration;

/**
 * Asks for a lock.
 *
 * @param key name and token
 * @param ttl time to live of the lease, whole milliseconds
 * @param waiting whether a refused request becomes a waiter
 * @param again whether this token was asked for before: the store may know it, and may have been
 *     told to give it up
 */
public record AcquireRequest(LeaseKey key, Duration ttl, Waiting waiting, boolean again) {

  /** The first request for a token. */
  public AcquireRequest(LeaseKey key, Duration ttl, Waiting waiting) {
    this(key, ttl, waiting, false);
  }
}
