/**
 * Locks in memory, for tests of code that uses locks.
 *
 * <p>{@link dev.leasehold.memory.MemoryLocks} gives managers that share one memory, moves their
 * time and makes calls fail. The engine is the one that runs in production; only the store is in
 * memory.
 */
@NullMarked
package dev.leasehold.memory;

import org.jspecify.annotations.NullMarked;
