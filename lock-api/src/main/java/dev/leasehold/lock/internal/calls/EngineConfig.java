package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;
import java.util.Set;

/**
 * What a manager promises, and how it was set. Never changes.
 *
 * @param defaults of locks that are asked for without options
 * @param storeTimeout how long a wait without bound bears a store that is of no use
 * @param closeGrace how long a close waits for holders
 */
public record EngineConfig(
    Set<Guarantee> guarantees,
    LockOptions defaults,
    Duration commandTimeout,
    Duration storeTimeout,
    Duration closeGrace,
    boolean recordsAcquisitions) {

  public boolean promises(Guarantee guarantee) {
    return guarantees.contains(guarantee);
  }
}
