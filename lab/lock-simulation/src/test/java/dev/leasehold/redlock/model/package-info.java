/**
 * A model of the protocol, and a search of all its states: three nodes, two clients, small times.
 *
 * <p>{@link dev.leasehold.redlock.model.Protocol} says what can happen, {@link
 * dev.leasehold.redlock.model.Rules} how much of it, {@link dev.leasehold.redlock.model.Search}
 * looks at every state that comes of it, nearest first, and {@link
 * dev.leasehold.redlock.model.Scenario} lists what is searched. A search is complete when no state
 * is left to look at; what breaks comes with a shortest schedule. {@link
 * dev.leasehold.redlock.model.ModelRun} runs all of them, {@link
 * dev.leasehold.redlock.model.ModelTest} a few.
 *
 * <p><b>What is in it.</b> Votes with a proposed fence, the write-back of the largest, renewal and
 * taking again what a node has lost, release, and restarts without data. A message or an answer may
 * come at any time, in any order, or never; a client may stop between any two steps, for ever if it
 * likes. So delay, loss, reordering, pauses, crashes of clients, and crashes of nodes that keep
 * their data need no steps of their own. A node's clock may run a tick ahead in each lease, as it
 * may by the drift allowance. Time is not bounded; rounds, renewals, restarts and repeated messages
 * are.
 *
 * <p><b>What is asked.</b> No two clients hold the lock by their own reckoning at once, and each
 * token is larger than all that were granted before.
 *
 * <p><b>What makes it small.</b> Fences count from the present and are forgotten when no clock
 * shows so little any more; the nodes are sorted, since they are alike; a message that changes
 * nothing is no step, since it may as well stay under way for ever. Each of these leaves out only
 * states that another stands for.
 *
 * <p><b>The other kinds</b> are small models of two and three clients, without time. {@link
 * dev.leasehold.redlock.model.KindModel} has read/write locks and semaphores: the sides' votes by
 * two counters, votes for a slot, write-back, release and restarts. {@link
 * dev.leasehold.redlock.model.FairModel} has locks in the order of arrival: lines by proposed
 * places, nodes that are kept for the first, turns that lapse, votes that are given back in
 * silence, and a holder that takes the nodes it lacks. {@link
 * dev.leasehold.redlock.model.SeveralModel} has two locks at once: a waiter holds nothing, and a
 * holder that has lost one has lost all. {@link dev.leasehold.redlock.model.ChangeModel} has a list
 * of nodes that is changed: clients by the list before, by a majority of both, and by the new one.
 * {@link dev.leasehold.redlock.model.LingerModel} has leases that are kept after a release,
 * recalls, and the numbers that are set aside for hand-overs; its clients run the engine's own
 * {@link dev.leasehold.lock.internal.lease.LeaseState}. Not in them: wake-ups by turns, several
 * permits at once, messages that come twice.
 *
 * <p><b>What was learnt from it.</b> Exclusion needs no wall clock, and neither do tokens while
 * nodes keep what they have written. But a node that has lost its data has only its wall clock to
 * know what it has kept: tokens grow over such a restart if wall clocks (and proposals, which
 * follow them) are less apart than the quarantine is long. The mutant {@code WALL_CLOCKS_APART}
 * shows what happens otherwise.
 *
 * <p>A renewal whose answer comes after the deadline must not move it, not even for the next waiter
 * of the process: others may have had the lock in between, with larger numbers, before a request
 * that was under way all the time won the last node. The engine had this wrong before a hand-over
 * ({@code REVIVED_AFTER_DEADLINE}).
 */
@NullMarked
package dev.leasehold.redlock.model;

import org.jspecify.annotations.NullMarked;
