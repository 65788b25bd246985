package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * What a store knows of a lock that is held.
 *
 * @param token the holder's token, or what a foreign client wrote
 * @param remaining time to live
 * @param fence fence of the grant, where the store keeps one; not the last number of its run
 */
public record StoredLease(String token, Duration remaining, OptionalLong fence) {
  @Override
  public String toString() {
    return Quoted.record("StoredLease", "token", token, "remaining", remaining, "fence", fence);
  }
}
