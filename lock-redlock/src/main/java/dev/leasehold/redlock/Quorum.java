package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The nodes, and how to send them requests. Thread-safe. */
record Quorum(
    List<Member> nodes,
    QuorumPolicy policy,
    VoteCount voteCount,
    StoreContext context,
    TokenStates tokenStates,
    FenceClock clock,
    ArrivalClock arrivals,
    NodeView view,
    Set<Guarantee> promised) {
  private static final Duration ENGINE_FIXED = Duration.ofMillis(2);
  private static final int ENGINE_PART = 100;
  private static final int MOST_STEPS = 1000;

  /** The same nodes for another kind of lock. */
  Quorum in(NodeView kind, Set<Guarantee> kept) {
    return new Quorum(nodes, policy, voteCount, context, tokenStates, clock, arrivals, kind, kept);
  }

  /** Whether its leases have fencing tokens. */
  boolean isFenced() {
    return promised.contains(Guarantee.FENCING);
  }

  /** The token state to acquire with: see {@link TokenStates#toTake}. */
  TokenState toTake(LeaseKey origin, boolean again) {
    return tokenStates.toTake(origin, view, again);
  }

  /** The token state of a lease or a waiter. */
  TokenState stateOf(LeaseKey origin) {
    return tokenStates.of(origin, view);
  }

  /** Whether locks are granted in the order of arrival. */
  boolean isFair() {
    return promised.contains(Guarantee.FAIR);
  }

  long now() {
    return context.ticker().nanos();
  }

  /**
   * The time to live to request of nodes. It is longer than the lease if the policy allows for more
   * drift than the engine does.
   */
  Duration nodeTtl(Duration ttl) {
    Duration engine = ttl.dividedBy(ENGINE_PART).plus(ENGINE_FIXED);
    Duration more = policy.driftAllowance(ttl).minus(engine);
    if (more.isNegative() || more.isZero()) {
      return ttl;
    }
    // A longer lease has a larger allowance in turn, so this is iterated.
    Duration least = ttl.minus(engine);
    Duration longer = ttl.plus(more);
    for (int i = 0; i < MOST_STEPS; i++) {
      Duration enough = least.plus(policy.driftAllowance(longer));
      if (enough.compareTo(longer) <= 0) {
        return Duration.ofMillis(longer.toMillis() + 1);
      }
      longer = enough.plusMillis(1);
    }
    throw new LockStoreException(
        Kind.REFUSED,
        "the quorum's policy deducts all of a lease of " + Setting.written(ttl) + " for drift");
  }

  /**
   * The time to live to request of nodes so that the lock stays taken for {@code atLeast} from the
   * grant on. The grant may come later than a node's own by a round of votes and a write-back.
   *
   * @param ttl the lease's own time to live
   */
  Duration nodeTtl(Duration ttl, Duration atLeast) {
    Duration usual = nodeTtl(ttl);
    if (atLeast.isZero()) {
      return usual;
    }
    Duration rounds = policy.nodeTimeout(usual).plus(policy.nodeTimeout(ttl));
    Duration kept = nodeTtl(engineTtl(atLeast)).plus(rounds).plusMillis(1);
    Duration longer = kept.compareTo(usual) > 0 ? kept : usual;
    return Duration.ofMillis(longer.toMillis());
  }

  /**
   * An upper bound of the time to live that the engine requests so that {@code atLeast} remains
   * after its drift allowance.
   */
  static Duration engineTtl(Duration atLeast) {
    return atLeast.plus(atLeast.dividedBy(ENGINE_PART - 1)).plus(ENGINE_FIXED.multipliedBy(2));
  }

  /** Sends a request to all nodes at once. */
  <T, R> CompletableFuture<R> ask(
      Duration lease, NodePoll.Judge<T, R> judge, Function<Member, CompletableFuture<T>> question) {
    NodePoll<T, R> poll = poll(judge);
    long sentAt = now();
    Duration inTime = policy.nodeTimeout(lease);
    for (Member node : nodes) {
      CompletableFuture<T> answer =
          isSecondName(node) ? CompletableFuture.failedFuture(secondName()) : question.apply(node);
      answer.whenComplete(
          (value, failure) -> {
            answered(node, sentAt, inTime, failure == null);
            poll.heard(node.index, value, failure);
          });
    }
    limit(poll, lease, sentAt);
    return poll.result();
  }

  /** Records whether a node's answer came in time. */
  void answered(Member node, long sentAt, Duration inTime, boolean isAnswer) {
    if (now() - sentAt >= inTime.toNanos()) {
      node.wasLate(sentAt, inTime);
    } else if (isAnswer) {
      node.wasInTime();
    }
  }

  /**
   * Whether another node is on the same server. Opening refuses this, but a host name may later
   * resolve to another server.
   */
  boolean isSecondName(Member node) {
    String server = node.serverId();
    return !server.isEmpty()
        && nodes.subList(0, node.index).stream().anyMatch(other -> other.serverId().equals(server));
  }

  static LockStoreException secondName() {
    return new LockStoreException(
        Kind.UNAVAILABLE, "now the same server as another node, and has no vote of its own");
  }

  <T, R> NodePoll<T, R> poll(NodePoll.Judge<T, R> judge) {
    return new NodePoll<>(nodes, judge, this::slow);
  }

  /** Limits the wait for the nodes to the policy's time-out. */
  void limit(NodePoll<?, ?> poll, Duration lease, long sentAt) {
    Duration inTime = policy.nodeTimeout(lease);
    if (!poll.result().isDone()) {
      poll.within(inTime, context.scheduler(), silent -> late(silent, sentAt, inTime));
    }
  }

  private void late(NodeSet silent, long sentAt, Duration inTime) {
    silent.nodes().forEach(i -> nodes.get(i).wasLate(sentAt, inTime));
  }

  private NodeSet slow() {
    return NodeSet.where(nodes.size(), i -> nodes.get(i).isSlow());
  }

  /** Whether any node holds it or may still grant it. */
  boolean mayBeTaken(TokenState tokenState) {
    return nodes.stream().anyMatch(tokenState::mayHold);
  }

  /** Gives up a round: frees the nodes that granted it, and those that still do. */
  void withdraw(TokenState tokenState) {
    tokenState.releaseAll(nodes, null);
  }

  /** Releases the lock, but keeps it taken for a while on all nodes that were asked for it. */
  CompletionStage<ReleaseResult> keep(TokenState tokenState, Duration rest) {
    tokenState.giveBackBy(keptFor(rest));
    return release(tokenState);
  }

  /** Keeps the lock on each node for this long from now. */
  NodeReleases keptFor(Duration rest) {
    return rest.isZero()
        ? NodeReleases.FREE
        : NodeReleases.keptUntil(now() + nodeTtl(rest).toNanos());
  }

  /** Frees the lock. */
  CompletionStage<ReleaseResult> release(TokenState tokenState) {
    NodePoll<ReleaseResult, ReleaseResult> poll = poll(voteCount::release);
    long sentAt = now();
    tokenState.releaseAll(nodes, poll);
    limit(poll, tokenState.lifespan().ttl(), sentAt);
    return poll.result();
  }
}
