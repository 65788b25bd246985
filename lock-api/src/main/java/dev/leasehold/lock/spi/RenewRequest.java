package dev.leasehold.lock.spi;

import java.time.Duration;

/**
 * Asks for more time.
 *
 * @param key name and token
 * @param ttl time to live from now, whole milliseconds
 */
public record RenewRequest(LeaseKey key, Duration ttl) {
  @Override
  public String toString() {
    return Quoted.record("RenewRequest", "key", key, "ttl", ttl);
  }
}
