package dev.leasehold.redlock;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.QuorumPolicy;
import dev.leasehold.testkit.history.FaultModel;
import dev.leasehold.testkit.history.HistoryChecker;
import dev.leasehold.testkit.history.Verdict;
import dev.leasehold.testkit.sim.Flaw;
import dev.leasehold.testkit.sim.RandomFaults;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimClock;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.SimServer;
import dev.leasehold.testkit.sim.SimWorld;
import dev.leasehold.testkit.sim.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;

/** Some clients of some nodes, with faults, for some seconds of their time: all from a seed. */
final class QuorumRun {
  private static final Duration LOAD = Duration.ofSeconds(5);
  private static final Duration LONGEST_END = Duration.ofMinutes(3);
  private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

  /** Two clocks may differ by a hundredth: each from the world's by a little less than half. */
  private static final int MOST_DRIFT = 4_900;

  /** Held, so that it stays off: thousands of worlds have many slow nodes. */
  private static final Logger QUIET = Logger.getLogger("dev.leasehold.redlock");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private final SimWorld world;
  private final RandomGenerator random;
  private final Mutant mutant;
  private final List<SimServer> servers = new ArrayList<>();
  private final Workload workload;
  private final Duration lease;
  private final List<SimClient> clients = new ArrayList<>();
  private final List<QuorumLeaseStore> stores = new ArrayList<>();
  private final List<RandomFaults> networks = new ArrayList<>();

  QuorumRun(long seed, Mutant mutant) {
    this.world = new SimWorld(seed, SimWorld.Ties.SEEDED);
    this.random = world.random();
    this.mutant = mutant;
    Set<Flaw> flaws =
        mutant == Mutant.UNCONDITIONAL_DELETE
            ? EnumSet.of(Flaw.RELEASE_IGNORES_TOKEN)
            : EnumSet.noneOf(Flaw.class);
    int nodes = random.nextInt(3) == 0 ? 5 : mutant == Mutant.HALF_THE_VOTES ? 4 : 3;
    for (int i = 0; i < nodes; i++) {
      servers.add(new SimServer(world.node("n" + i, clock(1)), flaws));
    }
    this.lease = Duration.ofMillis(random.nextInt(100, 1200));
    LockOptions.Builder options = LockOptions.builder();
    if (random.nextBoolean()) {
      options.automaticLease(lease);
    } else {
      options.fixedLease(lease);
    }
    options.handOver(new HandOver(random.nextInt(4), Duration.ofMillis(random.nextInt(1, 500))));
    List<String> locks = random.nextInt(3) == 0 ? List.of("a", "b") : List.of("a");
    this.workload =
        new Workload(
            world,
            locks,
            options.build(),
            Duration.ofMillis(random.nextInt(1, 2 * (int) lease.toMillis())));
  }

  private SimClock clock(int sign) {
    if (mutant == Mutant.NO_DRIFT) {
      return SimClock.fasterBy(sign * MOST_DRIFT); // as far apart as they may be
    }
    return SimClock.random(random, MOST_DRIFT);
  }

  private Duration any(Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
  }

  Verdict run() {
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
    for (SimServer server : servers) {
      for (String lock : List.of("a", "b")) {
        if (server.peek(lock).isPresent()) {
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
    // Refusals are not judged: a vote that is split refuses while nobody holds the lock.
    FaultModel model =
        mutant.isOutside()
            ? FaultModel.outside().withStrayRequests()
            : FaultModel.inside().withStrayRequests();
    Verdict verdict = HistoryChecker.check(workload.history(), model);
    if (!verdict.isClean()) {
      throw world.failure(verdict.toString());
    }
    return verdict;
  }

  private void addClient(String name) {
    SimNode node = world.node(name, clock(-1));
    node.busyExecutor(Duration.ofMillis(2));
    List<LeaseStore> nodes = new ArrayList<>();
    for (SimServer server : servers) {
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
      nodes.add(server.connect(node, network));
    }
    QuorumPolicy policy =
        mutant == Mutant.HALF_THE_VOTES
            ? (granted, n) -> Long.bitCount(granted) >= n / 2
            : QuorumPolicy.majority();
    QuorumLeaseStore quorum = new QuorumLeaseStore(nodes, policy);
    stores.add(quorum);
    LeaseStore store = mutant.wrap(quorum);
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
    world.after(any(Duration.ofMillis(600)), this::trouble);
  }

  private void nodeTrouble(SimServer server, Duration span) {
    if (server.node().state() != SimNode.State.RUNNING) {
      return;
    }
    switch (random.nextInt(3)) {
      case 0 -> server.node().pause(span);
      case 1 -> {
        server.crash();
        world.after(span, () -> server.restart(SimServer.Data.KEPT));
      }
      default -> {
        if (mutant == Mutant.CLOCK_JUMP) {
          server.node().stepWallClock(span);
          return;
        }
        server.crash();
        world.after(mutant.restartDelay(lease), () -> server.restart(SimServer.Data.LOST));
      }
    }
  }
}
