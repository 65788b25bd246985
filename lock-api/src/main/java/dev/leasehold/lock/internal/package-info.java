/**
 * The store-neutral engine: owners, re-entry, waiting, hand-over, renewal, deadlines, losses.
 *
 * <p>One {@link dev.leasehold.lock.internal.LockCell} for each name in use, with one mutex; its
 * {@link dev.leasehold.lock.internal.Holding} says who holds the name in this process. Nothing goes
 * out under the mutex. A {@link dev.leasehold.lock.internal.Waiter} is one acquisition, its {@link
 * dev.leasehold.lock.internal.Attempt} the contention on the store under one token. A granted token
 * is a {@link dev.leasehold.lock.internal.RemoteLease}; local {@link
 * dev.leasehold.lock.internal.Hold}s come and go over it, each with {@link
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
 *                     |-- deadline passed (timer, or whoever looks first): EXPIRED             |
 *                     |-- a renewal or a newer grant says otherwise: NOT_OWNER                 |
 *                     |-- the manager closes: CLOSED                                           |
 *                     v                                                                        |
 *                    LOST &lt;--------------------------------------------------------------------'
 *                     '-- handles unwind one by one; the owner may not re-enter before
 * </pre>
 *
 * <p>Who may change what: a hold's state only its cell, under the mutex; a deadline only a
 * confirmed renewal, from that renewal's own time of sending, and only forward. A renewer decides
 * when, never whether. Timers only schedule: what they start runs on the executor, but for the loss
 * itself, which is decided on the timer's thread so that nothing can delay it.
 *
 * <p>What may come in: what every store needs. Nothing that knows a store, a client or a wire
 * format.
 */
@NullMarked
package dev.leasehold.lock.internal;

import org.jspecify.annotations.NullMarked;
