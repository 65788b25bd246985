package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A lock that is held when a quorum of independent nodes hold it. Each node is a store of its own,
 * of any kind; the nodes must share nothing, or what they share is one vote.
 *
 * <p>Thread-safe. A lock manager starts and closes it, and it its nodes.
 *
 * <p>It promises {@link Guarantee#FENCING} where all nodes are {@link QuorumNode}s that promise it,
 * {@link Guarantee#MINIMUM_HOLD} where all are {@link MinimumHold}s that do, and otherwise what all
 * nodes promise.
 */
final class QuorumLeaseStore implements MinimumHold {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.redlock");
  static final int LEAST_NODES = 3;
  static final int MOST_NODES = 63;

  private final List<Member> members = new ArrayList<>();
  private final QuorumPolicy policy;
  private final Duration longestLease;
  private @Nullable Set<Guarantee> guarantees;
  private @Nullable Quorum quorum;

  /**
   * Over nodes that don't vote after a restart before the longest lease has passed.
   *
   * @param longestLease a longer one is refused
   * @throws LockConfigurationException if they are too few or too many, or one is there twice
   */
  QuorumLeaseStore(List<? extends LeaseStore> nodes, QuorumPolicy policy, Duration longestLease) {
    this.policy = Objects.requireNonNull(policy, "policy");
    this.longestLease = longestLease;
    if (nodes.size() < LEAST_NODES || nodes.size() > MOST_NODES) {
      throw new LockConfigurationException(
          "a quorum of " + nodes.size() + " nodes: allowed are 3 to 63, best an odd number");
    }
    if (new HashSet<>(nodes).size() < nodes.size()) {
      throw new LockConfigurationException(
          "one node is there twice: two names of one server would be two votes of one");
    }
    if (nodes.size() % 2 == 0) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a quorum of {0} nodes bears no more failures than one of {1}: an odd number is better",
          nodes.size(),
          nodes.size() - 1);
    }
    for (LeaseStore node : nodes) {
      members.add(new Member(members.size(), node));
    }
  }

  @Override
  public void start(StoreContext context) {
    Opening opening = new Opening(members);
    members.forEach(member -> member.tells(context::tell));
    opening.open(context, policy);
    Set<Guarantee> promised = promised();
    opening.promise(promised);
    guarantees = promised;
    int count = members.size();
    quorum =
        new Quorum(
            List.copyOf(members),
            policy,
            new VoteCount(policy, count),
            context,
            new Ballots(context, count),
            new FenceClock(),
            promised.contains(Guarantee.FENCING));
  }

  private Quorum started() {
    return Objects.requireNonNull(quorum, "not started");
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    // A minimum hold that is as long as the longest lease takes a little more, for drift.
    boolean isMinimum =
        request.atLeast().compareTo(longestLease) <= 0
            && request.ttl().compareTo(Quorum.engineTtl(request.atLeast())) <= 0;
    Optional<LockStoreException> refusal = refusal(isMinimum ? request.atLeast() : request.ttl());
    return refusal.isPresent()
        ? CompletableFuture.failedFuture(refusal.get())
        : new Election(started(), request).start();
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    for (RenewRequest request : batch) {
      Optional<LockStoreException> refusal = refusal(request.ttl());
      if (refusal.isPresent()) {
        return refuse(batch, request, refusal.get());
      }
    }
    return new Renewal(started(), batch).start();
  }

  /** All but the leases that can't be. */
  private List<CompletionStage<RenewResult>> refuse(
      List<RenewRequest> batch, RenewRequest bad, LockStoreException refusal) {
    int at = batch.indexOf(bad);
    List<CompletionStage<RenewResult>> all = new ArrayList<>(renew(batch.subList(0, at)));
    all.add(CompletableFuture.failedFuture(refusal));
    all.addAll(renew(batch.subList(at + 1, batch.size())));
    return all;
  }

  private Optional<LockStoreException> refusal(Duration lease) {
    if (lease.compareTo(longestLease) > 0) {
      return Optional.of(tooLong(lease));
    }
    try {
      started().nodeTtl(lease);
      return Optional.empty();
    } catch (LockStoreException e) {
      return Optional.of(e);
    }
  }

  private LockStoreException tooLong(Duration lease) {
    return new LockStoreException(
        LockStoreException.Kind.REFUSED,
        "a lease of "
            + Setting.written(lease)
            + " is longer than "
            + RedlockSettings.LONGEST_LEASE.key()
            + " = "
            + Setting.written(longestLease)
            + ": nodes that restarted would vote before it is over");
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    Quorum nodes = started();
    return nodes.release(nodes.ballots().of(lease));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    Quorum nodes = started();
    Ballot ballot = nodes.ballots().of(lease);
    ballot.fences().used(run.used());
    return nodes.release(ballot);
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    Quorum nodes = started();
    return nodes.keep(nodes.ballots().of(lease), rest);
  }

  @Override
  public Duration longestMinimum() {
    return longestLease;
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return Waiters.leave(started(), waiter);
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return Waiters.watch(started(), waiter, wakeUp);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return Inspection.inspect(started(), name);
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> known = guarantees;
    return known == null ? promised() : known;
  }

  private Set<Guarantee> promised() {
    Set<Guarantee> all = EnumSet.allOf(Guarantee.class);
    members.forEach(member -> all.retainAll(member.store.guarantees()));
    if (!members.stream().allMatch(member -> member.store instanceof QuorumNode)) {
      all.remove(Guarantee.FENCING);
      all.remove(Guarantee.TURNS); // places in the nodes' lines are proposed with the votes
    }
    if (!members.stream().allMatch(member -> member.store instanceof MinimumHold)) {
      all.remove(Guarantee.MINIMUM_HOLD);
    }
    // Places that are closer than clocks are may differ between nodes.
    all.remove(Guarantee.FAIR);
    all.add(Guarantee.QUORUM);
    return all;
  }

  /** How many tokens it keeps something of. */
  int size() {
    return started().ballots().size();
  }

  @Override
  public void close() {
    Quorum nodes = quorum;
    if (nodes != null) {
      nodes.ballots().stop();
      members.forEach(member -> member.pendingReleases.stop());
    }
    members.forEach(member -> member.store.close());
  }
}
