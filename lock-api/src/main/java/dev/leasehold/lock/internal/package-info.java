/**
 * The store-neutral engine: owners, re-entry, waiting, hand-over, renewal, deadlines, losses.
 *
 * <p>The {@link dev.leasehold.lock.internal.Cells} of a kind have one {@link
 * dev.leasehold.lock.internal.LockCell} for each name in use, with one mutex; its {@link
 * dev.leasehold.lock.internal.Waiters} wait for the name in this process, and its {@link
 * dev.leasehold.lock.internal.Holds} says who holds it. Nothing goes out under the mutex. An {@link
 * dev.leasehold.lock.internal.Acquisition} goes from a call to its outcome; its {@link
 * dev.leasehold.lock.internal.Attempt} contends on the store with one token. A granted token is a
 * {@link dev.leasehold.lock.internal.RemoteLease}; local {@link dev.leasehold.lock.internal.Hold}s
 * come and go over it, each with {@link dev.leasehold.lock.internal.LeaseHandle}s.
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
 *                     |-- deadline passed (timer, or whoever looks first): EXPIRED             |
 *                     |-- a renewal or a newer grant says otherwise: NOT_OWNER                 |
 *                     |-- the manager closes: CLOSED                                           |
 *                     v                                                                        |
 *                    LOST &lt;--------------------------------------------------------------------'
 *                     '-- handles unwind one by one; the owner may not re-enter before
 * </pre>
 *
 * <p>Readers that come again to a lease of their process do so past the mutex ({@link
 * dev.leasehold.lock.internal.OpenLease}, where the invariant stands). HELD has a part for them:
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
 * <p>Who may change what: a hold's state only its cell, under the mutex, but for those two ways
 * into and out of JOINED; a deadline only a confirmed renewal, from that renewal's own time of
 * sending, and only forward. A renewer decides when, never whether.
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
 * <p>A blocking operation on a platform thread waits for its own first question, or its own
 * release, whoever asks it; so where a store that blocks can cut its calls off, that thread makes
 * the call ({@link dev.leasehold.lock.internal.Caller}) in place of a blocking one, when it has
 * left every turn and outbox. It is watched ({@link dev.leasehold.lock.internal.Callers}): the
 * command time-out, an interrupt and a close end the call.
 *
 * <p>User code runs on the callbacks' threads alone, or on the executor that was given, to which
 * these threads hand it. So nothing that it does (block, compute, throw) can occupy a thread that a
 * renewal, a time-out or a deadline needs. It leaves a cell by the outbox only, when the mutex is
 * free. An executor or scheduler of the user's that refuses is stood in for by the manager's own.
 *
 * <p>Every turn ends, whatever is thrown: a store's error is its answer, one letter of the {@link
 * dev.leasehold.lock.internal.Outbox} doesn't keep the next from going out, and where no thread can
 * be started, work waits for one ({@link dev.leasehold.lock.internal.Pool}).
 *
 * <p>What the rooms share is cut by who needs it ({@link dev.leasehold.lock.internal.Env}): {@link
 * dev.leasehold.lock.internal.Timing}, {@link dev.leasehold.lock.internal.Terms}, {@link
 * dev.leasehold.lock.internal.StoreOperations}, listeners and log, and {@link
 * dev.leasehold.lock.internal.Lifecycle}. A room asks for the parts that it uses.
 *
 * <p>An acquisition, and its hold after it, has a {@link dev.leasehold.lock.internal.Trail}: who
 * follows it is told in order. Flight recordings are told in {@link
 * dev.leasehold.lock.internal.flight}.
 *
 * <p>What may come in: what every store needs. Nothing that knows a store, a client or a wire
 * format.
 */
@NullMarked
package dev.leasehold.lock.internal;

import org.jspecify.annotations.NullMarked;
