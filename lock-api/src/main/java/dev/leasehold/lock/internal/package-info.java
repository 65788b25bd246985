/**
 * The store-neutral engine: owners, re-entry, waiting, hand-over, renewal, deadlines and loss
 * signals.
 *
 * <p>Packages, each of which uses only those below it. A test forbids cycles between packages, and
 * cycles of more than eight classes.
 *
 * <pre>
 *  Engine, EngineBuilder, config        put a manager together
 *     |
 *     v
 *  election --&gt; several --&gt; kinds       what applications call; latch stands beside them
 *                            |
 *                            v
 *                         acquire       the waiters of a name, and the requests of the first
 *                            |
 *                            v
 *                          handle       what the application has: handles, loss signals
 *                            |
 *                            v
 *                           hold        the holds of a name: re-entry, sharing, hand-over, loss
 *                            |
 *                            v
 *                          lease        what the store granted: deadline and renewal
 *                            |
 *                            v
 *                           name        the mutex of a name, and what is queued under it
 *                            |
 *                            v
 *                          calls        calls to the store, and releases in the background
 *                            |
 *                            v
 *                     events, threads   listeners and the log; threads, timers and time
 * </pre>
 *
 * <p>For each kind of lock, {@link dev.leasehold.lock.internal.acquire.LockTable} keeps one {@link
 * dev.leasehold.lock.internal.acquire.LockEntry} per name in use, with one mutex. Its {@link
 * dev.leasehold.lock.internal.acquire.Waiters} are the queue of this process's waiters for the
 * name, which exist only while there are any, and its {@link
 * dev.leasehold.lock.internal.hold.Holds} records the holders. No store call or callback is made
 * under the mutex. An {@link dev.leasehold.lock.internal.acquire.Waiter} spans a call and its
 * outcome; its {@link dev.leasehold.lock.internal.acquire.AcquireLoop} contends on the store with
 * one token. A granted token is a {@link dev.leasehold.lock.internal.lease.RemoteLease}; local
 * {@link dev.leasehold.lock.internal.hold.Hold}s succeed one another on it, each with {@link
 * dev.leasehold.lock.internal.handle.LeaseHandle}s.
 *
 * <pre>
 *  Threads ({@link dev.leasehold.lock.internal.threads.Threads}; each arrow hands work over)
 *
 *   timers ------&gt; workers ----------&gt; the store's calls ----------&gt; blocking
 *   decide losses,  renewals,           (a client that blocks        calls to a store
 *   and only that   time-outs, pauses    gets threads of its own)    that blocks
 *      |              |
 *      '--------------'---- outbox, callers, the client's own threads ---&gt; callbacks
 *                                                                          listeners, lost(),
 *                                                                          asynchronous outcomes
 * </pre>
 *
 * <p>A blocking operation on a platform thread waits for its own first request or release, on
 * whatever thread that runs. If a blocking store can cut off its calls, the waiting thread
 * therefore makes the call itself ({@link dev.leasehold.lock.internal.calls.CallerThread}) instead
 * of a blocking-store thread, once it holds no mutex and has emptied its outbox. {@link
 * dev.leasehold.lock.internal.calls.CallerThreads} supervises it: the command time-out, an
 * interrupt and a close end the call.
 *
 * <p>User code runs only on the callback threads, or on the user's executor, to which these threads
 * submit it. Whatever it does (block, compute, throw), it cannot occupy a thread that a renewal, a
 * time-out or a deadline needs. An entry starts it only through the outbox, after its mutex is
 * released. If the user's executor or scheduler refuses a task, the manager's own threads run it.
 *
 * <p>Every unit of work completes, whatever is thrown: an error thrown by a store counts as its
 * answer, a failing action of the {@link dev.leasehold.lock.internal.threads.Outbox} does not stop
 * the others, and if no thread can be started, work waits until one can ({@link
 * dev.leasehold.lock.internal.threads.Pool}).
 *
 * <p>Apart from a waiter, which calls its entry, no part of an entry knows the class of the entry.
 * All of them share the {@link dev.leasehold.lock.internal.name.Monitor}: the mutex, the name, the
 * time, the listeners. A lower class declares what it needs of a higher one as an interface or a
 * base class: a monitor knows its {@link dev.leasehold.lock.internal.name.Monitor.Owner}, a lease
 * its {@link dev.leasehold.lock.internal.lease.LeaseHolders}, the holds their {@link
 * dev.leasehold.lock.internal.hold.Successors}, a handle its {@link
 * dev.leasehold.lock.internal.handle.HoldCalls}.
 *
 * <p>A process may hold very many names, so a held name keeps few objects: the entry, the monitor,
 * the holds, a lease, a hold, and an entry and a handle for each acquisition. What the names of a
 * kind share is kept once, what most names never need is made when it is needed, and operations on
 * a part of a name's state are views of it, created for each use.
 *
 * <p>An acquisition and its hold share {@link dev.leasehold.lock.internal.name.Observers}, which
 * notify their listeners in order. {@link dev.leasehold.lock.internal.flight} writes
 * flight-recorder events.
 *
 * <p>Nothing here depends on a particular store, client or wire format.
 */
@NullMarked
package dev.leasehold.lock.internal;

import org.jspecify.annotations.NullMarked;
