package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;

/**
 * A manager's settings. Immutable.
 *
 * @param defaults the options of locks that are created without options
 * @param storeTimeout how long an unbounded wait tolerates a store that fails
 * @param closeGrace how long a close waits for holders
 * @param abandoned what happens to holds that can no longer be released
 * @param recordsAcquisitions whether the stack trace of each acquisition is recorded
 */
public record EngineConfig(
    LockOptions defaults,
    Duration commandTimeout,
    Duration storeTimeout,
    Duration closeGrace,
    AbandonedHolds abandoned,
    boolean recordsAcquisitions) {}
