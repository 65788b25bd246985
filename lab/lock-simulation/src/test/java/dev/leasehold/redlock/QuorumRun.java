package dev.leasehold.redlock;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
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
import dev.leasehold.testkit.sim.SimWorld;
import dev.leasehold.testkit.sim.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Some clients of some nodes, with faults, for some seconds of their time: all from a seed.
 *
 * <p>The clients are real: the engine, the quorum and the nodes' stores as they are shipped, with
 * their scripts, which run in Lua on modelled servers. Clocks and network are models too, and so is
 * what connects ({@link dev.leasehold.redis.set.ScriptServer}).
 */
final class QuorumRun {
  private static final Duration LOAD = Duration.ofSeconds(5);
  private static final Duration LONGEST_END = Duration.ofMinutes(3);
  private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);
  private static final Duration NOW_AND_THEN = Duration.ofMillis(600);
  private static final Duration OFTEN = Duration.ofMillis(300);

  private final SimWorld world;
  private final RandomGenerator random;
  private final Mutant mutant;
  private final Mode mode;
  private final List<ScriptServer> servers = new ArrayList<>();
  private final Workload workload;
  private final Duration lease;
  private final Duration longestLease;
  private final Duration atLeast;
  private final List<SimClient> clients = new ArrayList<>();
  private final List<QuorumLeaseStore> stores = new ArrayList<>();
  private final List<RandomFaults> networks = new ArrayList<>();

  /** How the nodes are used. */
  enum Mode {
    /** With fencing and wake-ups. */
    FENCED,
    /** Redlock of one round, on bare keys: exclusion is all that it promises. */
    PLAIN,
    /** With fencing and wake-ups, by the scripts of the adapter of Redisson. */
    ADAPTER
  }

  /**
   * What a world has shown; what it must not show is thrown.
   *
   * @param verdict on all that happened
   * @param fencing what is wrong with it
   * @param rejected how many writes of stale holders were refused
   */
  record Shown(Verdict verdict, List<String> fencing, long rejected) {
    int overlaps() {
      return verdict.of(Violation.Kind.OVERLAP).size();
    }

    /** Whether this was seen broken. */
    boolean breaks(Promise promise) {
      return promise == Promise.EXCLUSION ? overlaps() > 0 : !fencing.isEmpty();
    }
  }

  private final Grants grants = new Grants();

  QuorumRun(long seed, Mutant mutant) {
    this(seed, mutant, Mode.FENCED);
  }

  QuorumRun(long seed, Mutant mutant, Mode mode) {
    this.world = new SimWorld(seed, SimWorld.Ties.SEEDED);
    this.random = world.random();
    this.mutant = mutant;
    this.mode = mode;
    this.lease = Duration.ofMillis(random.nextInt(100, 1200));
    this.longestLease = lease.multipliedBy(Workload.LONGEST_LEASE);
    LockOptions.Builder options = LockOptions.builder();
    if (random.nextBoolean()) {
      options.automaticLease(lease);
    } else {
      options.fixedLease(lease);
    }
    options.handOver(new HandOver(random.nextInt(4), Duration.ofMillis(random.nextInt(1, 500))));
    int nodes = random.nextInt(3) == 0 ? 5 : mutant == Mutant.HALF_THE_VOTES ? 4 : 3;
    for (int i = 0; i < nodes; i++) {
      ScriptServer server = new ScriptServer(world.node("n" + i, clock(1)), mutant.change());
      server.node().stepWallClock(any(mutant.clocksApart(lease, longestLease)));
      server.votesIn(Duration.ZERO, onNodes());
      servers.add(server);
    }
    List<String> locks = random.nextInt(3) == 0 ? List.of("a", "b") : List.of("a");
    LockOptions some =
        mutant == Mutant.NONE
            ? MinimumCheck.some(options, seed, longestLease).build()
            : options.build();
    this.atLeast = some.atLeast();
    this.workload =
        new Workload(
            world, locks, some, Duration.ofMillis(random.nextInt(1, 2 * (int) lease.toMillis())));
  }

  private SimClock clock(int sign) {
    if (mutant == Mutant.NO_DRIFT) {
      return SimClock.fasterBy(sign * mutant.mostDrift()); // as far apart as they may be
    }
    return SimClock.random(random, mutant.mostDrift());
  }

  /** What nodes are told, as by {@link RedlockBackend}. */
  private Duration onNodes() {
    return RedlockBackend.onNodes(longestLease, mutant.policy());
  }

  private Duration any(Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
  }

  /** Keeps all of the schedule for {@link #schedule} and what is thrown. */
  QuorumRun traced() {
    world.traceAll();
    return this;
  }

  /** What happened: the last of it, or all. */
  String schedule() {
    return world.toString();
  }

  Shown run() {
    int count = random.nextInt(2, 4);
    for (int i = 0; i < count; i++) {
      addClient("c" + i);
    }
    world.after(Duration.ofMillis(200), this::trouble);
    world.run(LOAD);
    networks.forEach(RandomFaults::calmDown);
    workload.stop();
    if (!world.runUntil(workload::isIdle, LONGEST_END)) {
      throw world.failure("an owner never came to an end");
    }
    world.run(LONGEST_END);
    for (ScriptServer server : servers) {
      for (String lock : List.of("a", "b")) {
        if (server.holds(lock)) {
          throw world.failure("something is left of lock " + lock + " on " + server);
        }
      }
    }
    // Some mutants wrap the store so that a call that is given up goes on below.
    for (int i = 0; i < clients.size() && mutant == Mutant.NONE; i++) {
      int kept = stores.get(i).size();
      if (clients.get(i).node().state() == SimNode.State.RUNNING && kept > 0) {
        throw world.failure(clients.get(i) + " still keeps something of " + kept + " tokens");
      }
    }
    return judge();
  }

  private Shown judge() {
    // Refusals are not judged: a vote that is split refuses while nobody holds the lock.
    FaultModel model =
        (mutant.breaks(Promise.EXCLUSION) ? FaultModel.outside() : FaultModel.inside())
            .withStrayRequests();
    Verdict verdict = HistoryChecker.check(workload.history(), model);
    FencingCheck check = new FencingCheck(workload.history(), grants);
    List<String> fencing = new ArrayList<>(check.broken());
    List<Violation> exclusion = new ArrayList<>();
    for (Violation bug : verdict.bugs()) {
      if (bug.kind() == Violation.Kind.OVERLAP) {
        exclusion.add(bug);
      } else {
        fencing.add(bug.kind() + ": " + bug.message());
      }
    }
    fencing.addAll(MinimumCheck.broken(workload.history(), atLeast));
    if (!exclusion.isEmpty() || !(fencing.isEmpty() || mutant.breaks(Promise.FENCING))) {
      throw world.failure(String.join("\n", fencing) + "\n" + verdict);
    }
    return new Shown(verdict, fencing, check.rejected());
  }

  private void addClient(String name) {
    SimNode node = world.node(name, clock(-1));
    node.busyExecutor(Duration.ofMillis(2));
    List<LeaseStore> nodes = new ArrayList<>();
    for (ScriptServer server : servers) {
      RandomFaults network =
          new RandomFaults(
              world.random(),
              new RandomFaults.Rates(
                  random.nextDouble() * 0.05,
                  0.05,
                  random.nextDouble() * 0.05,
                  random.nextDouble() * 0.1,
                  Duration.ofMillis(random.nextInt(1, 20)),
                  Duration.ofMillis(1500)));
      networks.add(network);
      nodes.add(
          switch (mode) {
            case FENCED -> server.quorumNode(node, network, onNodes());
            case PLAIN -> server.plainNode(node, network, onNodes());
            case ADAPTER -> new AdapterNode(new RawConnection(node, server, network), onNodes());
          });
    }
    QuorumLeaseStore quorum = new QuorumLeaseStore(nodes, mutant.policy(), longestLease);
    stores.add(quorum);
    LeaseStore store = grants.noting(name, mutant.wrap(quorum));
    SimClient client =
        SimClient.open(
            node,
            store,
            builder -> builder.commandTimeout(COMMAND_TIMEOUT).storeTimeout(Duration.ofSeconds(2)));
    clients.add(client);
    workload.add(client, random.nextInt(1, 4));
  }

  /** Something happens to a machine, and again some time later. */
  private void trouble() {
    if (workload.isIdle()) {
      return;
    }
    SimClient client = clients.get(random.nextInt(clients.size()));
    Duration span = any(lease.multipliedBy(2)).plusNanos(1);
    switch (random.nextInt(6)) {
      case 0 -> client.node().pause(span);
      case 1 -> {
        if (client.node().state() != SimNode.State.DOWN) {
          workload.crash(client);
          addClient("c" + clients.size());
        }
      }
      case 2, 3, 4 -> nodeTrouble(servers.get(random.nextInt(servers.size())), span);
      default -> {
        // nothing, this time
      }
    }
    world.after(any(mutant.isOutside() ? OFTEN : NOW_AND_THEN), this::trouble);
  }

  private void nodeTrouble(ScriptServer server, Duration span) {
    if (server.node().state() != SimNode.State.RUNNING) {
      return;
    }
    // What the fault model rules out, as often as not: else few of the worlds would show it.
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
