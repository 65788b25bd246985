package dev.leasehold.lock.spi;

import java.time.Duration;

/**
 * A request to renew a lease.
 *
 * @param key name and token
 * @param ttl time to live from now, whole milliseconds
 */
public record RenewRequest(LeaseKey key, Duration ttl) {}
