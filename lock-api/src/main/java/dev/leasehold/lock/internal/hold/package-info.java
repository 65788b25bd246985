/**
 * The holds of a name in this process: holds over a lease, re-entry, sharing, hand-over, extension,
 * release and loss. {@code HoldRecords} has the state of a name and what its owners share, {@link
 * dev.leasehold.lock.internal.hold.Holds} its operations; the other classes on it are views.
 *
 * <p>The states of a hold. Only code that runs under the mutex of the name changes them, except for
 * the two transitions into and out of JOINED:
 *
 * <pre>
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
 * <p>What becomes of the lease when its last hold ends, {@link
 * dev.leasehold.lock.internal.lease.LeaseState} shows and decides: it passes to a waiter, at once
 * or after a renewal, is kept for the next claim, or is released. {@link
 * dev.leasehold.lock.internal.hold.Releases} performs that.
 *
 * <p>A reader that rejoins a lease of its process does so without the mutex ({@link
 * dev.leasehold.lock.internal.hold.OpenLease} states the invariant). HELD has a substate for this:
 *
 * <pre>
 *  of the Hold         seat's CAS                       CAS of the handle's user
 *   the owner's last ------------------&gt; JOINED ------------------------------------&gt; RELEASED
 *   one, RELEASED                          |                       and if no seat is taken: checks
 *                                          | CAS under the mutex   again under the mutex, and
 *                                          v                       releases the lease
 *                                         HELD, as above: re-entry, renewal, loss, close
 * </pre>
 *
 * <p>Uses: lease, name, calls, events, threads, flight.
 */
@NullMarked
package dev.leasehold.lock.internal.hold;

import org.jspecify.annotations.NullMarked;
