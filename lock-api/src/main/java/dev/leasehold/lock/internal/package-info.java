/**
 * The store-neutral engine: owners, re-entry, waiting, hand-over, renewal, deadlines and loss
 * signals.
 *
 * <p>For each kind of lock, {@link dev.leasehold.lock.internal.Cells} keeps one {@link
 * dev.leasehold.lock.internal.LockCell} per name in use, with one mutex. Its {@link
 * dev.leasehold.lock.internal.Waiters} are the queue of this process's waiters for the name, and
 * its {@link dev.leasehold.lock.internal.Holds} records the holders. No store call or callback is
 * made under the mutex. An {@link dev.leasehold.lock.internal.Acquisition} spans a call and its
 * outcome; its {@link dev.leasehold.lock.internal.Attempt} contends on the store with one token. A
 * granted token is a {@link dev.leasehold.lock.internal.RemoteLease}; local {@link
 * dev.leasehold.lock.internal.Hold}s succeed one another on it, each with {@link
 * dev.leasehold.lock.internal.LeaseHandle}s.
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
 *  Hold (one owner)  HELD --- last handle released --&gt; RELEASED --- the store says NOT_OWNER --.
 *                     |                                  |                                     |
 *                     |                                  '-- or a waiter here takes it over:   |
 *                     |                                      a new Hold, HELD, next token      |
 *                     |                                                                        |
 *                     |-- deadline passed (timer, or the first check): EXPIRED                 |
 *                     |-- a renewal or a newer grant says otherwise: NOT_OWNER                 |
 *                     |-- the manager closes: CLOSED                                           |
 *                     v                                                                        |
 *                    LOST &lt;--------------------------------------------------------------------'
 *                     '-- handles are released one by one; only then may the owner re-enter
 * </pre>
 *
 * <p>A reader that rejoins a lease of its process does so without the mutex ({@link
 * dev.leasehold.lock.internal.OpenLease} states the invariant). HELD has a substate for this:
 *
 * <pre>
 *  of the Hold         seat's CAS                     CAS of whoever has the handle
 *   the owner's last ------------------&gt; JOINED ------------------------------------&gt; RELEASED
 *   one, RELEASED                          |                       and if no seat is taken, by the
 *                                          | CAS of the cell       cell: looks again, gives back
 *                                          v
 *                                         HELD, as above: re-entry, renewal, loss, close
 * </pre>
 *
 * <p>State changes: only its cell, under the mutex, changes a hold's state, except for the two
 * transitions into and out of JOINED. Only a confirmed renewal moves a deadline, measured from that
 * renewal's own send time, and only forward. A renewer decides when leases are renewed, never
 * whether they are valid.
 *
 * <pre>
 *  Who runs what ({@link dev.leasehold.lock.internal.Threads}; each arrow hands work over)
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
 * therefore makes the call itself ({@link dev.leasehold.lock.internal.Caller}) instead of a
 * blocking-store thread, once it holds no mutex and has emptied its outbox. {@link
 * dev.leasehold.lock.internal.Callers} supervises it: the command time-out, an interrupt and a
 * close end the call.
 *
 * <p>User code runs only on the callback threads, or on the user's executor, to which these threads
 * submit it. Whatever it does (block, compute, throw), it cannot occupy a thread that a renewal, a
 * time-out or a deadline needs. A cell starts it only through the outbox, after the mutex is
 * released. If the user's executor or scheduler refuses a task, the manager's own threads run it.
 *
 * <p>Every unit of work completes, whatever is thrown: an error thrown by a store counts as its
 * answer, a failing action of the {@link dev.leasehold.lock.internal.Outbox} does not stop the
 * others, and if no thread can be started, work waits until one can ({@link
 * dev.leasehold.lock.internal.Pool}).
 *
 * <p>No part of a cell knows the cell. What all of them share is the {@link
 * dev.leasehold.lock.internal.Monitor}: the mutex, the name, the time, the listeners. What a lower
 * class needs of a higher one, it says in an interface: a lease knows its {@link
 * dev.leasehold.lock.internal.Holders}, the holds their {@link
 * dev.leasehold.lock.internal.Succession}, an attempt its {@link
 * dev.leasehold.lock.internal.WaitQueue}.
 *
 * <p>An acquisition and its hold share a {@link dev.leasehold.lock.internal.Trail}, which notifies
 * their listeners in order. {@link dev.leasehold.lock.internal.flight} writes flight-recorder
 * events.
 *
 * <p>This package contains what every store needs, and nothing that depends on a particular store,
 * client or wire format.
 */
@NullMarked
package dev.leasehold.lock.internal;

import org.jspecify.annotations.NullMarked;
