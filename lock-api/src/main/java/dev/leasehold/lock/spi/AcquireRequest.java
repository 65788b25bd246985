package dev.leasehold.lock.spi;

import java.time.Duration;

/**
 * Asks for a lock.
 *
 * @param key name and token
 * @param ttl time to live of the lease, whole milliseconds
 * @param waiting whether a refused request becomes a waiter
 */
public record AcquireRequest(LeaseKey key, Duration ttl, Waiting waiting) {}
