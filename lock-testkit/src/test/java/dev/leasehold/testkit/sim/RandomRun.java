package dev.leasehold.testkit.sim;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.history.FaultModel;
import dev.leasehold.testkit.history.HistoryChecker;
import dev.leasehold.testkit.history.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Some clients of one server, with faults, for some seconds of their time: all from a seed. */
final class RandomRun {
  private static final Duration LOAD = Duration.ofSeconds(5);
  private static final Duration LONGEST_END = Duration.ofMinutes(3);
  private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

  /** Two clocks may differ by a hundredth: each from the world's by a little less than half. */
  private static final int MOST_DRIFT = 4_900;

  /** What may go wrong. */
  enum Faults {
    /** Slow, lost and failed messages, pauses and deaths of clients, drift. */
    PLAIN,
    /**
     * Also messages that are repeated or come after their time-out, pauses and crashes of the
     * server that keep its data: a token may come to the server when nobody wants it any more.
     */
    STRAY,
    /** Also what exclusion does not bear: data lost, clocks stepped. */
    OUTSIDE
  }

  private final SimWorld world;
  private final RandomGenerator random;
  private final Faults faults;
  private final SimServer server;
  private final Workload workload;
  private final Duration lease;
  private final List<SimClient> clients = new ArrayList<>();
  private final List<RandomFaults> networks = new ArrayList<>();

  RandomRun(long seed, Faults faults, Set<Flaw> flaws) {
    this.world = new SimWorld(seed, SimWorld.Ties.SEEDED);
    this.random = world.random();
    this.faults = faults;
    this.server = new SimServer(world.node("server", clock()), flaws);
    this.lease = Duration.ofMillis(random.nextInt(50, 1200));
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

  private SimClock clock() {
    return SimClock.random(random, MOST_DRIFT);
  }

  Verdict run() {
    int count = random.nextInt(2, 5);
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
    for (String lock : List.of("a", "b")) {
      if (server.peek(lock).isPresent()) {
        throw world.failure("something is left of lock " + lock + " on " + server);
      }
    }
    Verdict verdict = HistoryChecker.check(workload.history(), model());
    if (!verdict.isClean()) {
      throw world.failure(verdict.toString());
    }
    return verdict;
  }

  private FaultModel model() {
    // Nothing comes later than its time-out, but a release that failed is tried again for a while.
    return switch (faults) {
      case PLAIN -> FaultModel.inside().staysAtMost(lease.multipliedBy(4).plusSeconds(20));
      case STRAY -> FaultModel.inside().withStrayRequests();
      case OUTSIDE -> FaultModel.outside().withStrayRequests();
    };
  }

  private void addClient(String name) {
    SimNode node = world.node(name, clock());
    node.busyExecutor(Duration.ofMillis(2));
    boolean stray = faults != Faults.PLAIN;
    RandomFaults network =
        new RandomFaults(
            world.random(),
            new RandomFaults.Rates(
                random.nextDouble() * 0.05,
                stray ? 0.05 : 0,
                random.nextDouble() * 0.05,
                random.nextDouble() * 0.1,
                Duration.ofMillis(2),
                stray ? Duration.ofMillis(1500) : COMMAND_TIMEOUT.dividedBy(2)));
    networks.add(network);
    SimClient client =
        SimClient.open(
            node,
            server.connect(node, network),
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
    Duration span = Workload.any(random, lease.multipliedBy(3)).plusNanos(1);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> client.node().pause(span);
      case 3 -> {
        if (client.node().state() != SimNode.State.DOWN) {
          workload.crash(client);
          addClient("c" + clients.size());
        }
      }
      case 4 -> serverTrouble(span);
      default -> {
        // nothing, this time
      }
    }
    world.after(Workload.any(random, Duration.ofSeconds(1)), this::trouble);
  }

  private void serverTrouble(Duration span) {
    if (faults == Faults.PLAIN || server.node().state() != SimNode.State.RUNNING) {
      return;
    }
    boolean outside = faults == Faults.OUTSIDE;
    switch (random.nextInt(outside ? 4 : 2)) {
      case 0 -> server.node().pause(span);
      case 1 -> {
        server.crash();
        SimServer.Data data =
            outside && random.nextBoolean() ? SimServer.Data.LOST : SimServer.Data.KEPT;
        world.after(span, () -> server.restart(data));
      }
      case 2 -> server.loseData();
      default -> server.node().stepWallClock(span);
    }
  }
}
