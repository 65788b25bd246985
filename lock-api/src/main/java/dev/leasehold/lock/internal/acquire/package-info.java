/**
 * Acquisitions: the queue of a name's waiters in this process, and the requests its head sends to
 * the store.
 *
 * <p>An {@code AcquireLoop} contends for the lock on the store with one token. The progress of its
 * request, and what the store may hold for its token, is a value: {@code RequestState}, which has a
 * diagram and processes events without a mutex, clock, thread or store. The loop performs the
 * resulting effects under the name's mutex. A token that may be on the store is asked for again or,
 * once its waiter has left, released until the store confirms.
 *
 * <p>{@code EveryOrderTest} drives this package and those below it, on a server whose messages it
 * delivers or loses, through every order of a handful of events and through random longer ones.
 *
 * <p>Uses: handle, hold, lease, name, calls, events, threads, flight.
 */
@NullMarked
package dev.leasehold.lock.internal.acquire;

import org.jspecify.annotations.NullMarked;
