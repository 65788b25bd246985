package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.lock.spi.quorum.SlotStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A lock that is held when a quorum of independent nodes hold it. Each node is a store of its own,
 * of any kind. The nodes must share nothing: nodes with a common server or disk fail together, and
 * are one vote.
 *
 * <p>Thread-safe. A lock manager starts and closes the store, which starts and closes its nodes.
 *
 * <p>It promises {@link Guarantee#FENCING} where all nodes are {@link QuorumNode}s that promise it
 * (and then {@link Guarantee#FAIR} where they promise that, too), {@link Guarantee#LINGER} where
 * they are {@link RecallStore}s that do, {@link Guarantee#MINIMUM_HOLD} where all are {@link
 * MinimumHold}s that do, {@link Guarantee#SHARED} where all are {@link ReadWriteStore}s that do,
 * and otherwise what all nodes promise.
 */
final class QuorumLeaseStore implements MinimumHold, ReadWriteStore, PermitStore, RecallStore {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.redlock");
  static final int LEAST_NODES = 3;
  static final int MOST_NODES = 63;

  private final List<Member> members = new ArrayList<>();
  private final QuorumPolicy policy;
  private final Duration longestLease;
  private @Nullable Set<Guarantee> guarantees;
  private @Nullable Recalls recalls;
  private @Nullable QuorumKindView locks;
  private @Nullable QuorumKindView reads;
  private @Nullable QuorumKindView writes;
  private @Nullable QuorumKindView slots;
  private final ConcurrentHashMap<String, List<Integer>> lastGiven = new ConcurrentHashMap<>();

  /**
   * A store over nodes that do not vote after a restart until the longest lease has passed.
   *
   * @param longestLease longer leases are refused
   * @throws LockConfigurationException if there are too few or too many nodes, or one is there
   *     twice
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
    if (nodes.size() % 2 == 0 && !(policy instanceof JointPolicy)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a quorum of {0} nodes tolerates no more failures than one of {1}: an odd number is better",
          nodes.size(),
          nodes.size() - 1);
    }
    for (LeaseStore node : nodes) {
      members.add(new Member(members.size(), node));
    }
  }

  /**
   * The same, over nodes that are sent the quorum's list of nodes.
   *
   * @param lists each list's nodes, by their indexes in {@code nodes}; a hold needs a majority of
   *     each
   */
  QuorumLeaseStore(
      List<? extends LeaseStore> nodes,
      QuorumPolicy policy,
      Duration longestLease,
      List<List<Integer>> lists) {
    this(nodes, policy, longestLease);
    new Memberships(members, lists).tell();
  }

  @Override
  public void start(StoreContext context) {
    Opening opening = new Opening(members);
    members.forEach(member -> member.tells(context::tell));
    opening.open(context, policy);
    Set<Guarantee> promised = Promises.of(members);
    opening.promise(promised);
    Promises.checkOrder(members, promised);
    guarantees = promised;
    int count = members.size();
    Recalls recalling = new Recalls(List.copyOf(members), context);
    recalls = recalling;
    Quorum quorum =
        new Quorum(
            List.copyOf(members),
            policy,
            new VoteCount(policy, count),
            context,
            new TokenStates(context, count, recalling),
            new FenceClock(),
            new ArrivalClock(),
            NodeView.LOCKS,
            Set.copyOf(promised));
    locks = new QuorumKindView(quorum, longestLease);
    if (promised.contains(Guarantee.SHARED)) {
      reads = kind(quorum, node -> shared(node).reads());
      writes = kind(quorum, node -> shared(node).writes());
    }
    if (promised.contains(Guarantee.PERMITS)) {
      slots = kind(quorum, new QuorumSlots(List.of(0), 1, count));
    }
  }

  private QuorumKindView kind(Quorum quorum, NodeView view) {
    return new QuorumKindView(
        quorum.in(view, Set.copyOf(Promises.of(members, view))), longestLease);
  }

  private QuorumKindView started(@Nullable QuorumKindView view) {
    return Objects.requireNonNull(view, "not started");
  }

  /** As the first node that appends something prepares it; the others compare the same token. */
  @Override
  public LeaseKey prepared(LeaseKey fresh) {
    return members.stream()
        .map(node -> node.store.prepared(fresh))
        .filter(key -> !key.equals(fresh))
        .findFirst()
        .orElse(fresh);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return started(locks).acquire(request);
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return started(locks).renew(batch);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return started(locks).release(lease);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return started(locks).release(lease, run);
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    Quorum quorum = started(locks).quorum();
    return quorum.keep(quorum.stateOf(lease), rest);
  }

  @Override
  public void checkLongest(String what, Duration time) {
    if (time.compareTo(longestLease) > 0) {
      throw new LockConfigurationException(QuorumKindView.tooLong(what, time, longestLease));
    }
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return started(locks).leave(waiter);
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return started(locks).watch(waiter, wakeUp);
  }

  private Recalls recalls() {
    return Objects.requireNonNull(recalls, "not started");
  }

  @Override
  public LeaseKey recallable(LeaseKey fresh) {
    return recalls().recallable(fresh);
  }

  @Override
  public CompletionStage<Watch> onRecall(LeaseKey lease, Runnable recalled) {
    return recalls().listen(lease, recalled);
  }

  @Override
  public CompletionStage<?> recall(LeaseKey lease) {
    return recalls().recall(lease);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return started(locks).inspect(name);
  }

  @Override
  public LeaseStore reads() {
    return started(reads);
  }

  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    LeaseKey onNodes = started(writes).quorum().stateOf(write).key;
    return started(reads).by(node -> shared(node).readsBeside(onNodes));
  }

  @Override
  public LeaseStore writes() {
    return started(writes);
  }

  private static ReadWriteStore shared(Member node) {
    return (ReadWriteStore) node.store;
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    List<Integer> any = IntStream.range(0, wanted).boxed().toList();
    NodeView view = new QuorumSlots(any, of, members.size());
    Quorum quorum = started(slots).by(view).quorum();
    return new QuorumPermitView(quorum, longestLease, wanted, of, lastGiven);
  }

  @Override
  public int mostPermits() {
    return SlotStore.MOST_SLOTS;
  }

  @Override
  public CompletionStage<Permits> count(String name) {
    return SlotCount.of(started(slots).quorum(), name);
  }

  @Override
  public CompletionStage<?> resize(String name, int from, int to) {
    return count(name).thenAccept(known -> SlotCount.checkResize(name, known.number(), from, to));
  }

  /** Fails: nodes vote on a token's slots together, so a part of them can't be released. */
  @Override
  public CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    return CompletableFuture.failedFuture(SlotCount.notInParts(lease.name()));
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> known = guarantees;
    return known == null ? Promises.of(members) : known;
  }

  /** The number of tokens in memory, for tests. */
  int size() {
    return started(locks).quorum().tokenStates().size();
  }

  @Override
  public void close() {
    QuorumKindView opened = locks;
    if (opened != null) {
      opened.quorum().tokenStates().stop();
      members.forEach(Member::stopRepeating);
    }
    members.forEach(member -> member.store.close());
  }
}
