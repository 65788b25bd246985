/**
 * A lock on a quorum of independent nodes (Redlock). Any {@link dev.leasehold.lock.spi.LeaseStore}
 * can be a node; the algorithm is independent of the client.
 *
 * <p>A lock is held while a quorum of the nodes (by default a majority) holds the same token. It is
 * safe because any two quorums share a node, and a node grants a name to one token at a time. What
 * follows keeps this true although messages are late, leases expire and nodes forget.
 *
 * <p><b>Acquisition</b> ({@code QuorumRound}, {@code TokenState}). A round asks all nodes at once,
 * and is won by the votes of a quorum. The lease is counted from before the first byte is sent. A
 * grant that arrives after the round was won is kept as a further vote; after a lost round it is
 * released. A release is repeated to each node that does not confirm it ({@code PendingCalls}), one
 * at a time while the node is away, until the lease has surely ended. If the node did not answer
 * the acquisition, it may still carry it out, so there the release is repeated without that limit
 * (ten thousand releases per node at most; beyond that the oldest are dropped). A token that was
 * released on any node is never used for another round: otherwise a release delayed in the network
 * could remove a later vote. The next round uses a new token.
 *
 * <p><b>Renewal</b> ({@code RenewalRound}) needs a quorum that still has the token. Only then a
 * node that lost the key, or never had it, is asked to grant it again. This is safe: a quorum has
 * just confirmed the token, so no other client can hold the lock, and another vote only enlarges
 * the quorum. A lease without a quorum is lost, and is never granted again.
 *
 * <p><b>Fencing tokens</b> ({@code FenceClock}, {@code GrantedNumbers}, {@code Fences}). The client
 * proposes a number: the largest vote that it has seen plus the microseconds since. Each node votes
 * for the larger of the proposal and its own next fence. It keeps that number, and reserves the
 * numbers after it that hand-overs inside the process may need. Nodes limit the proposal and the
 * reserved numbers to a second ahead of their own clocks, so that a client with a fast clock can't
 * drive the fences away from the servers' clocks.
 *
 * <p>The largest vote <i>M</i> is the holder's token if a quorum has kept at least <i>M</i>; the
 * largest number <i>E</i> that a quorum has kept is the last one that may be used. That takes one
 * round. Otherwise the client writes the largest vote, and the largest number reserved by any node,
 * back to the nodes that hold the key for its token; both are valid once a quorum has them.
 *
 * <p>Why tokens increase: while numbers up to <i>E</i> may be used, every node of some quorum
 * <i>Q</i> has kept at least <i>E</i> and held the key for this token. A later grant has votes of a
 * quorum <i>Q'</i>, which shares a node with <i>Q</i>. That node granted the key again after it had
 * kept <i>E</i>, so it voted for at least <i>E</i> + 1; and the later token, being the largest
 * vote, is larger than <i>E</i>. A release gives unused numbers back on each node whose last number
 * is still the one that it gave to this token: down to the last number used, and never below the
 * node's own vote. The argument then holds with the last number used as <i>E</i>.
 *
 * <p><b>Read/write locks</b> use the same protocol on other data of the nodes (a {@code NodeView}).
 * Where a reader and a writer exclude each other, their majorities share a node. A node has two
 * counters: {@code fence}, which every vote raises, and {@code wfence}, which only writers' votes
 * raise. A writer's vote is above both, a reader's only above {@code wfence}, so readers may share
 * a number. A reader's largest vote is written back like a writer's: otherwise a reader with votes
 * 1 and 3 would have token 3, and a later writer on other nodes could get 2. While a reader has a
 * majority, no writer gets a majority, so its numbers are not used.
 *
 * <p><b>Semaphores.</b> A permit is a slot with a number, and each slot is a lock with fences of
 * its own. The client names the slots it wants ({@code SlotRound}). A node never grants another
 * slot instead, since then one client could hold different slots on different nodes. A refusal
 * lists the free slots; the client gives back what it got and requests, at random, others that a
 * quorum would grant. On each node, queues and reservations for woken waiters count permits and do
 * not name slots.
 *
 * <p><b>Quarantine.</b> A node that may have forgotten locks must not vote: together with nodes
 * that never had them, it could form a second quorum. A marker on the server identifies the run of
 * the server, since when that run is known, and the longest lease in use. A client that finds
 * another run than the marker's writes a new marker, and the node refuses votes to all clients
 * until the longest lease has passed since. So it does not matter how much a restart has lost, or
 * whether a client has seen the server before. A server that was made a replica and promoted again
 * is the same run with other data, so the marker also has the replication id. The quarantine lasts
 * at least two seconds, however short leases are: fences may be a second ahead of the node's clock,
 * and clocks may differ. Renewals and releases are not refused, since they grant nothing. The nodes
 * of a {@link dev.leasehold.lock.spi.quorum.NodeBackend} do all this; other nodes must be kept down
 * for that long by their operator.
 *
 * <p><b>Changing the nodes.</b> Majorities of two lists may have no node in common. So while one
 * list replaces the other, a quorum is a majority of each ({@code JointPolicy}), which shares a
 * node with any majority of either; everything said here of quorums applies to it. A node remembers
 * the lists of the clients that it voted for, as ids stored on the nodes, for as long as their
 * leases may last. It refuses a list that has a majority without a node in common with one of
 * theirs. This detects mistakes on nodes that are in both lists; the others can't see them.
 *
 * <p><b>Waiting</b> ({@code QuorumWaiters}, {@code WakeUpCoalescer}). A waiter is queued on all
 * nodes, in the same place, and under one token whichever token a round uses. Its place is its
 * arrival time by the median of the nodes' clocks ({@code ArrivalClock}), so that all clients order
 * arrivals alike, and one wrong clock changes no place. A release makes each node send a message to
 * the first waiter in its queue. The waiter tries once messages have arrived from a quorum, or
 * shortly after the first, so that a lost message or node costs little and a release wakes one
 * waiter. Each node reserves the lock for the waiter that it woke, for half a second at most, and
 * refuses all others, so that a faster client can't overtake it. Nodes may wake different waiters
 * only if these arrived within a message delay of each other: then the vote is split.
 *
 * <p>A split vote is given up, and tried again after a random pause that doubles each time. A node
 * that has forgotten the holder, while the holder has most of the others, wakes one waiter after
 * another in vain. So waiters wait longer after a single message each time, and the holder's next
 * renewal takes the node, whichever waiter it is reserved for.
 *
 * <p><b>Fairness.</b> In a quorum that grants in the order of arrival, each waiter is queued by
 * itself (not one per process), and a free node is reserved for the first in its queue. Places are
 * proposed by the clients, so the nodes agree on the order, except for arrivals that are closer
 * than message delays and clock differences. A first waiter that gets no quorum gives its nodes
 * back.
 *
 * <p><b>Lingering</b> ({@code Recalls}). A lease that is kept after a release is one that is held,
 * on all its nodes; only its process knows that it has no holder. A refused client recalls it
 * through each node, since the token names one of them, where the process listens; not if that node
 * is among those that refused, and has recalled it. A round that uses another token listens for
 * that one, too. A grant reports waiters if any node does.
 *
 * <p><b>Unreachable nodes</b> ({@code ReconnectingNode}, {@code Member}). The quorum opens while a
 * minority is unreachable; those nodes join when they come up. Two names of one server are one
 * vote: opening refuses them, and if a name comes to lead to the same server later, the second one
 * is not asked. A node that is late repeatedly is still asked, but its answer is not awaited.
 * Listeners are notified of all this ({@link dev.leasehold.lock.NodeEvent}).
 *
 * @see <a
 *     href="https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/">Redlock</a>
 */
@NullMarked
package dev.leasehold.redlock;

import org.jspecify.annotations.NullMarked;
