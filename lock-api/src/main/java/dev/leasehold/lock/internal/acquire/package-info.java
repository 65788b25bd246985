/**
 * Acquisitions: the queue of a name's waiters in this process, and the requests of its head to the
 * store.
 *
 * <p>An attempt contends on the store with one token; its state changes only under the name's
 * mutex:
 *
 * <pre>
 *  Attempt (one token; under the cell's mutex)
 *
 *           ask                answer: Held            timer, wake-up
 *   IDLE ---------&gt; ASKING -------------------&gt; PAUSED ---------------&gt; ASKING ...
 *                     |  \  no answer: the token may be on the store ("unknown");
 *                     |   \   asked again with the same token, or, once the waiter is gone,
 *                     |    \  released until the store confirms
 *      answer: Granted|
 *                     v
 *           a hold begins
 * </pre>
 *
 * <p>Uses: handle, hold, lease, name, calls, events, threads, flight.
 */
@NullMarked
package dev.leasehold.lock.internal.acquire;

import org.jspecify.annotations.NullMarked;
