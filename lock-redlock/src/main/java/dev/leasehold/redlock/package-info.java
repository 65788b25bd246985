/**
 * A lock on a quorum of independent nodes (Redlock). Any {@link dev.leasehold.lock.spi.LeaseStore}
 * can be a node; the algorithm knows no client.
 *
 * <p><b>A round.</b> All nodes are asked at once, and the votes of a quorum are enough to go on.
 * The clock starts before the first byte. A grant that comes after the decision stays as a vote if
 * the lock was won; otherwise it is released, as is a node that did not answer, as soon as it does.
 * A token that was released anywhere is never used for another round, so that a release that is
 * late on the network can't take a later vote away: the next round has a token of its own. What the
 * nodes that are away owe is tried one at a time, and forgotten when the lease is surely over, but
 * for a node that was silent: it may still grant what it was asked for, as long as it owes no more
 * than ten thousand of them.
 *
 * <p><b>Renewal</b> needs a quorum that still has the token. A node that lost the key, or never had
 * it, is then asked to take it again. That is safe because it is done only after a quorum has
 * confirmed the same token: nobody else can hold the lock meanwhile, and a further vote only makes
 * the quorum larger. A lease whose quorum is gone is never taken anew; it is lost.
 *
 * <p><b>Fencing tokens.</b> The client proposes a value, and each node answers the larger of its
 * own next fence and the proposal, and keeps it, with the numbers after it that hand-overs inside
 * the process may need. The proposal is the largest vote that the client has seen, and the time
 * since; so that the fences stay with the servers' clocks however long they are led by a fast one,
 * nodes cut it, and the numbers, to a second ahead of their own. If a quorum has kept the largest
 * vote <i>M</i>, that value is the token, and the largest number <i>E</i> that a quorum has kept is
 * the last one to be used: one round. Else both are written back to the nodes that still hold the
 * key for this token, and count once a quorum has them. Either way, while numbers up to <i>E</i>
 * may be used, every node of some quorum <i>Q</i> has kept at least <i>E</i>, and held the key for
 * the token's owner. A later grant has votes of a quorum <i>Q'</i>, which shares a node with
 * <i>Q</i>. That node granted the key again after it had kept <i>E</i>, so it voted for at least
 * <i>E</i> + 1, and the later token, the largest vote, is larger than <i>E</i>. A release gives
 * numbers back, on each node where the last number is still the one that it gave to this token:
 * down to the last one that was used, and never below the node's own vote. So what is said of
 * <i>E</i> holds of that one.
 *
 * <p><b>Read/write locks</b> are the same protocol on other data of the nodes (a {@code View}).
 * Majorities of a reader and of a writer share a node, where they exclude each other. A node has
 * two counters: {@code fence}, which all votes raise, and {@code wfence}, which writers' raise. A
 * writer's vote is above both; a reader's only above {@code wfence}, so readers may share a number.
 * A reader's largest vote is written back like a writer's: or votes 1 and 3 would give 3, and a
 * writer elsewhere then 2. While a reader has a majority, no writer draws a number that counts.
 *
 * <p><b>Semaphores.</b> A permit is a slot: the same protocol, for one of several numbers that the
 * client names ({@code SlotElection}). No node gives another instead, or two clients would have
 * different ones of it on different nodes; who is refused hears what is free, gives back what it
 * got, and names others that a quorum would give, at random. Each slot has fences of its own.
 * Lines, and what is kept for who was woken, are counts on each node.
 *
 * <p><b>Quarantine.</b> A node that may have forgotten locks must not vote: with nodes that never
 * had them there would be a second quorum. It tells by its server's run: a marker on the server
 * names the run that it is about, since when that run is known, and the longest lease in use.
 * Whoever meets a run that the marker does not name writes it anew, and until the longest lease has
 * passed since, votes are refused there, for all clients alike. It makes no difference how much a
 * restart has lost, or whether a client saw the server before. A server that was made a replica and
 * promoted again is the same run with other data: its replication id tells, so the marker names
 * that too. However short leases are, a node stays out for two seconds: fences may lead its clock
 * by one, and clocks may differ. Renewals and releases are not refused: they give nothing to
 * anybody. All this is done by the nodes of a {@link dev.leasehold.lock.spi.quorum.NodeBackend};
 * others' must be kept down for so long by whoever runs them.
 *
 * <p><b>Changing the nodes.</b> Majorities of two lists may have no node in common. So while one
 * takes the other's place, a quorum is a majority of each ({@code JointPolicy}), which has a node
 * in common with any majority of either. All that is said here of quorums holds of those. A node
 * remembers the lists of the clients that it voted for, by ids that the nodes keep, for as long as
 * their leases may last, and refuses a list of which a majority may be apart from one of those.
 * That finds mistakes; nodes of one list alone can't.
 *
 * <p><b>Waiting.</b> A waiter stands in the lines of all nodes, in the same place, and under the
 * same name whatever token a round has. The place is when it came, by the middle one of the nodes'
 * clocks: all clients tell it alike, whatever they have seen, and a wrong clock moves nobody. A
 * release sends a message from each node that it frees; the waiter asks when a quorum of them have
 * come, or a moment after the first, so that one lost message or node costs little and a release
 * wakes one waiter. Each node keeps the lock for the one that it woke, for half a second at most.
 * To all others it is refused, so that whoever is faster does not get in first. Where nodes woke
 * different ones, their places were closer than messages are: the vote is split, and both come
 * again. A vote that is split is given up, and tried again after a random pause that doubles. Where
 * another has most nodes, one that has forgotten it wakes one waiter after another in vain: so a
 * waiter trusts a single message less each time, and the holder takes the node from whoever it is
 * kept for.
 *
 * <p><b>In the order of arrival</b> each waiter stands in the lines for itself, and a node that is
 * free leaves itself to the first of its line. Places are proposed, so the nodes agree but for
 * those that are closer than messages and clocks. A first one without a quorum gives back what it
 * got.
 *
 * <p><b>Nodes that are away.</b> The quorum opens while a minority can't be reached, and takes them
 * in when they come. Two names of one server are one vote: refused at opening, not asked later. A
 * node that is late again and again is asked and not waited for. Listeners are told of all of this
 * ({@link dev.leasehold.lock.NodeEvent}).
 *
 * @see <a
 *     href="https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/">Redlock</a>
 */
@NullMarked
package dev.leasehold.redlock;

import org.jspecify.annotations.NullMarked;
