/**
 * Calls to the store: the command time-out, calls made on the caller's own thread, and releases
 * that are repeated in the background until the store confirms them.
 *
 * <p>Uses: events, threads.
 */
@NullMarked
package dev.leasehold.lock.internal.calls;

import org.jspecify.annotations.NullMarked;
