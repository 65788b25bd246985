package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * A store's record of a held lock.
 *
 * @param token the holder's token, or the value that a foreign client wrote
 * @param remaining time to live
 * @param fence fence of the grant, where the store keeps one; not the last token of its run
 */
public record StoredLease(String token, Duration remaining, OptionalLong fence) {}
