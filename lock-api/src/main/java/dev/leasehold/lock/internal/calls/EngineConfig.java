package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;
import java.util.Set;

/**
 * A manager's guarantees and settings. Immutable.
 *
 * @param defaults the options of locks that are created without options
 * @param storeTimeout how long an unbounded wait tolerates a store that fails
 * @param closeGrace how long a close waits for holders
 * @param linger how long a lease is kept after a release; zero if not at all
 */
public record EngineConfig(
    Set<Guarantee> guarantees,
    LockOptions defaults,
    Duration commandTimeout,
    Duration storeTimeout,
    Duration closeGrace,
    Duration linger,
    boolean recordsAcquisitions) {

  public boolean promises(Guarantee guarantee) {
    return guarantees.contains(guarantee);
  }
}
