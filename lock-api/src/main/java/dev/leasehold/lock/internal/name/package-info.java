/**
 * The mutex of a name, with what must be queued under it, and the pauses of a request that is
 * repeated.
 *
 * <p>Nothing is called under the mutex: a step queues calls and callbacks, which run after the
 * mutex is released.
 *
 * <p>Uses: calls, events, threads, flight.
 */
@NullMarked
package dev.leasehold.lock.internal.name;

import org.jspecify.annotations.NullMarked;
