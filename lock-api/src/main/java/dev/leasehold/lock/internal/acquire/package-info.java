/**
 * Acquisitions: the queue of a name's waiters in this process, and the requests of its head to the
 * store.
 *
 * <p>An {@code AcquireLoop} contends on the store with one token. How far its request is, and what
 * its token may have on the store, is a value: {@code RequestState} has the picture, and takes in
 * events without a mutex, clock, thread or store. The attempt performs what follows, under the
 * name's mutex. A token that may be on the store is asked for again or, once its waiter is gone,
 * released until the store confirms.
 *
 * <p>Uses: handle, hold, lease, name, calls, events, threads, flight.
 */
@NullMarked
package dev.leasehold.lock.internal.acquire;

import org.jspecify.annotations.NullMarked;
