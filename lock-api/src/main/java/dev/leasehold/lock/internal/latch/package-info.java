/**
 * Latches. A latch has no holder, so it has no lease: one request serves all waiters of this
 * process, and a count-down is repeated until the store confirms it.
 *
 * <p>Uses: acquire, name, calls, threads.
 */
@NullMarked
package dev.leasehold.lock.internal.latch;

import org.jspecify.annotations.NullMarked;
