package dev.leasehold.redlock;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.redis.set.FairCheck;
import dev.leasehold.redis.set.RawConnection;
import dev.leasehold.redis.set.ScriptServer;
import dev.leasehold.redisson.AdapterNode;
import dev.leasehold.redlock.Mutant.Promise;
import dev.leasehold.testkit.history.FaultModel;
import dev.leasehold.testkit.history.HistoryChecker;
import dev.leasehold.testkit.history.Verdict;
import dev.leasehold.testkit.history.Violation;
import dev.leasehold.testkit.sim.RandomFaults;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimClock;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.Workload;
import dev.leasehold.testkit.sim.WorkloadWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Clients of several nodes with faults, for some seconds of simulated time, all from a seed.
 *
 * <p>The clients are real: the engine, the quorum and the nodes' stores as shipped, with their
 * scripts, which run in Lua on modelled servers. Clocks, network and connection handling ({@link
 * dev.leasehold.redis.set.ScriptServer}) are models.
 */
final class QuorumRun extends WorkloadWorld implements ListChange.Clients {
  private static final Duration NOW_AND_THEN = Duration.ofMillis(600);
  private static final Duration OFTEN = Duration.ofMillis(300);
  private static final Duration CHANGES_LAST = Duration.ofSeconds(8);
  private static final Duration MOST_LINGER = Duration.ofMillis(300);

  private final Mutant mutant;
  private final Mode mode;
  private final List<ScriptServer> servers = new ArrayList<>();
  private final Workload workload;
  private final Duration lease;
  private final Duration longestLease;
  private final Duration atLeast;
  private final List<QuorumLeaseStore> stores = new ArrayList<>();

  /** The mode of the nodes. */
  enum Mode {
    /** With fencing and wake-ups. */
    FENCED,
    /** Redlock in one round, on bare keys: promises exclusion only. */
    PLAIN,
    /** With fencing and wake-ups, by the scripts of the Redisson adapter. */
    ADAPTER,
    /** With fencing and wake-ups; leases linger. */
    LINGERING,
    /** With fencing and wake-ups; some nodes compare and delete by themselves, some do not. */
    NATIVE,
    /** With fencing, granting in the order of arrival. */
    IN_ORDER,
    /** With fencing and wake-ups, while the list of nodes changes. */
    OTHER_LISTS
  }

  /**
   * The results of a world; forbidden violations are thrown instead.
   *
   * @param verdict on the whole history
   * @param fencing violations of fencing
   * @param rejected number of rejected writes of stale holders
   */
  record Shown(Verdict verdict, List<String> fencing, long rejected) {
    int overlaps() {
      return verdict.of(Violation.Kind.OVERLAP).size();
    }

    /** Whether this guarantee was violated. */
    boolean breaks(Promise promise) {
      return promise == Promise.EXCLUSION ? overlaps() > 0 : !fencing.isEmpty();
    }
  }

  private final Grants grants = new Grants();

  /** Present only if the list of nodes changes. */
  private final Optional<ListChange> change;

  QuorumRun(long seed, Mutant mutant) {
    this(seed, mutant, Mode.FENCED);
  }

  QuorumRun(long seed, Mutant mutant, Mode mode) {
    super(seed);
    this.mutant = mutant;
    this.mode = mode;
    this.lease = Duration.ofMillis(random.nextInt(100, mode == Mode.OTHER_LISTS ? 300 : 1200));
    this.longestLease = lease.multipliedBy(Workload.LONGEST_LEASE);
    LockOptions.Builder options = options(lease);
    int nodes = random.nextInt(3) == 0 ? 5 : mutant == Mutant.HALF_THE_VOTES ? 4 : 3;
    this.change =
        mode == Mode.OTHER_LISTS ? Optional.of(new ListChange(random, mutant)) : Optional.empty();
    for (int i = 0; i < (change.isPresent() ? ListChange.SERVERS : nodes); i++) {
      ScriptServer server = new ScriptServer(world.node("n" + i, clock(1)), mutant.change());
      if (mode == Mode.NATIVE && i % 3 != 2) {
        server.comparesAndDeletes();
      }
      server.node().stepWallClock(any(mutant.clocksApart(lease, longestLease)));
      // Some of the nodes after the first ones do not vote yet when clients meet them; others were
      // admitted.
      int number = i;
      if (change.isEmpty() || change.get().isFirst(number) || random.nextBoolean()) {
        server.votesIn(Duration.ZERO, onNodes());
      }
      if (mode == Mode.IN_ORDER) {
        FairCheck.of(server, this::fail);
      }
      servers.add(server);
    }
    LockOptions some =
        mutant == Mutant.NONE
            ? MinimumCheck.some(options, seed, longestLease).build()
            : options.build();
    this.atLeast = some.atLeast();
    this.workload = workload(some, lease);
  }

  private SimClock clock(int sign) {
    if (mutant == Mutant.NO_DRIFT) {
      return SimClock.fasterBy(sign * mutant.mostDrift()); // as far apart as they may be
    }
    return SimClock.random(random, mutant.mostDrift());
  }

  /** The longest lease that nodes get, as by {@link RedlockBackend}. */
  private Duration onNodes() {
    return RedlockBackend.onNodes(longestLease, mutant.policy());
  }

  @Override
  protected SimClock clock() {
    return clock(-1);
  }

  @Override
  protected Workload workload() {
    return workload;
  }

  @Override
  protected LockManager.Builder settings(LockManager.Builder builder) {
    return mode == Mode.LINGERING ? builder.linger(any(MOST_LINGER)) : builder;
  }

  @Override
  protected int howMany() {
    return random.nextInt(2, 4);
  }

  @Override
  protected Duration load() {
    return change.isPresent() ? CHANGES_LAST : super.load();
  }

  @Override
  protected Duration troubleLasts() {
    return lease.multipliedBy(2);
  }

  @Override
  protected Duration rest() {
    return mutant.isOutside() ? OFTEN : NOW_AND_THEN;
  }

  @Override
  protected String left() {
    StringBuilder left = new StringBuilder();
    for (ScriptServer server : servers) {
      LOCKS.stream()
          .filter(server::holds)
          .forEach(lock -> left.append(lock).append(" on ").append(server).append(' '));
    }
    // Some mutants wrap the store in such a way that a cancelled call continues below.
    List<SimClient> clients = clients();
    for (int i = 0; i < clients.size() && mutant == Mutant.NONE; i++) {
      int kept = stores.get(i).size();
      if (clients.get(i).node().state() == SimNode.State.RUNNING && kept > 0) {
        left.append(clients.get(i)).append(" keeps something of " + kept + " tokens ");
      }
    }
    return left.toString();
  }

  Shown run() {
    change.ifPresent(lists -> lists.begin(world, this, longestLease));
    play();
    return shown();
  }

  private Shown shown() {
    // Refusals are not judged: a split vote refuses although the lock is free.
    FaultModel model =
        (mutant.breaks(Promise.EXCLUSION) ? FaultModel.outside() : FaultModel.inside())
            .withStrayRequests();
    Verdict verdict = HistoryChecker.check(history(), model);
    FencingCheck check = new FencingCheck(history(), grants);
    List<String> fencing = new ArrayList<>(check.broken());
    List<Violation> exclusion = new ArrayList<>();
    for (Violation bug : verdict.bugs()) {
      if (bug.kind() == Violation.Kind.OVERLAP) {
        exclusion.add(bug);
      } else {
        fencing.add(bug.kind() + ": " + bug.message());
      }
    }
    fencing.addAll(MinimumCheck.broken(history(), atLeast));
    if (!exclusion.isEmpty() || !(fencing.isEmpty() || mutant.breaks(Promise.FENCING))) {
      throw world.failure(String.join("\n", fencing) + "\n" + verdict);
    }
    return new Shown(verdict, fencing, check.rejected());
  }

  @Override
  public List<SimClient> running() {
    return clients().stream()
        .filter(client -> client.node().state() != SimNode.State.DOWN)
        .toList();
  }

  @Override
  public void restart(SimClient client) {
    replace(client);
  }

  /** The servers of a client's quorum. */
  private List<ScriptServer> serversOf(SimNode client) {
    return change
        .map(lists -> lists.come(client).stream().map(servers::get).toList())
        .orElse(servers);
  }

  @Override
  protected LeaseStore store(SimNode node) {
    List<LeaseStore> nodes = new ArrayList<>();
    for (ScriptServer server : serversOf(node)) {
      // Drawn in any case, so that a seed gives the same world as before.
      RandomFaults network =
          network(
              new RandomFaults(
                  world.random(),
                  new RandomFaults.Rates(
                      random.nextDouble() * 0.05,
                      0.05,
                      random.nextDouble() * 0.05,
                      random.nextDouble() * 0.1,
                      Duration.ofMillis(random.nextInt(1, 20)),
                      Duration.ofMillis(1500))));
      nodes.add(
          switch (mode) {
            case FENCED, LINGERING, NATIVE, OTHER_LISTS ->
                server.quorumNode(node, network, onNodes());
            case PLAIN -> server.plainNode(node, network, onNodes());
            case IN_ORDER -> server.fairNode(node, network, onNodes());
            case ADAPTER -> new AdapterNode(new RawConnection(node, server, network), onNodes());
          });
    }
    QuorumLeaseStore quorum =
        change
            .map(lists -> lists.quorum(node, nodes, longestLease))
            .orElseGet(() -> new QuorumLeaseStore(nodes, mutant.policy(), longestLease));
    stores.add(quorum);
    return grants.noting(node.name(), mutant.wrap(quorum));
  }

  @Override
  protected void trouble(SimClient client, Duration span) {
    switch (random.nextInt(6)) {
      case 0 -> client.node().pause(span);
      case 1 -> replace(client);
      case 2, 3, 4 -> trouble(span);
      default -> {
        // nothing, this time
      }
    }
  }

  @Override
  protected void trouble(Duration span) {
    ScriptServer server = servers.get(random.nextInt(servers.size()));
    if (server.node().state() != SimNode.State.RUNNING) {
      return;
    }
    // Faults that the model excludes are injected often: otherwise few of the worlds would reveal
    // the mutant.
    switch (random.nextInt(mutant.isOutside() ? 4 : 3)) {
      case 0 -> server.node().pause(span);
      case 1 -> {
        server.crash();
        boolean isLetIn = mutant.isOutside() || random.nextBoolean();
        world.after(
            span,
            () -> {
              server.restart(ScriptServer.Data.KEPT);
              if (isLetIn && server.isWhole()) {
                server.votesIn(Duration.ZERO, onNodes()); // by hand: nothing was lost
              }
            });
      }
      default -> {
        if (mutant == Mutant.CLOCK_JUMP) {
          server.node().stepWallClock(span);
          return;
        }
        server.crash();
        Duration away = mutant.isOutside() ? Mutant.RESTART : Mutant.RESTART.plus(span);
        world.after(
            away,
            () -> {
              server.restart(ScriptServer.Data.LOST);
              mutant.votesIn(lease).ifPresent(early -> server.votesIn(early, onNodes()));
            });
      }
    }
  }
}
