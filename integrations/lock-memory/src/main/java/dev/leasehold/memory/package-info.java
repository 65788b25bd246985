/**
 * Locks in memory, for tests of code that uses locks.
 *
 * <p>{@link dev.leasehold.memory.MemoryLocks} provides managers that share one memory, controls
 * their time and injects faults. The engine is the production engine; only the store is in memory.
 */
@NullMarked
package dev.leasehold.memory;

import org.jspecify.annotations.NullMarked;
