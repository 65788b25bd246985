package dev.leasehold.redis.set;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.redisson.FairScripts;
import dev.leasehold.redlock.MinimumCheck;
import dev.leasehold.testkit.history.FaultModel;
import dev.leasehold.testkit.history.HistoryChecker;
import dev.leasehold.testkit.history.Verdict;
import dev.leasehold.testkit.sim.RandomFaults;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimClock;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.SimWorld;
import dev.leasehold.testkit.sim.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Some clients of one server, with faults, for some seconds of their time, all from a seed: the
 * engine and redis-set's store as they ship, with their scripts, or the scripts of other backends.
 * The server keeps its data.
 */
final class SingleRun {
  private static final Duration LOAD = Duration.ofSeconds(5);
  private static final Duration LONGEST_END = Duration.ofMinutes(3);
  private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

  /** Two clocks may differ by a hundredth: each from the world's by a little less than half. */
  private static final int MOST_DRIFT = 4_900;

  private final SimWorld world;
  private final RandomGenerator random;
  private final ScriptServer server;
  private final Workload workload;
  private final Scheme scheme;
  private final Duration lease;
  private final Duration atLeast;
  private final List<SimClient> clients = new ArrayList<>();
  private final List<RandomFaults> networks = new ArrayList<>();

  /** What the clients have. */
  enum Scheme {
    /** {@code redis-set} as it ships. */
    REDIS_SET,
    /** The scripts of {@code redis-setnx}. */
    SETNX,
    /** The scripts of {@code redisson} in fair mode. */
    FAIR
  }

  SingleRun(long seed, Scheme scheme, UnaryOperator<String> change) {
    this.scheme = scheme;
    this.world = new SimWorld(seed, SimWorld.Ties.SEEDED);
    this.random = world.random();
    this.server = new ScriptServer(world.node("server", clock()), change);
    this.lease = Duration.ofMillis(random.nextInt(50, 1200));
    LockOptions.Builder options = LockOptions.builder();
    if (random.nextBoolean()) {
      options.automaticLease(lease);
    } else {
      options.fixedLease(lease);
    }
    options.handOver(new HandOver(random.nextInt(4), Duration.ofMillis(random.nextInt(1, 500))));
    List<String> locks = random.nextInt(3) == 0 ? List.of("a", "b") : List.of("a");
    Duration hold = Duration.ofMillis(random.nextInt(1, 2 * (int) lease.toMillis()));
    LockOptions some = MinimumCheck.some(options, seed, lease.multipliedBy(2)).build();
    this.atLeast = some.atLeast();
    this.workload = new Workload(world, locks, some, hold);
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
      if (server.holds(lock)) {
        throw world.failure("something is left of lock " + lock);
      }
    }
    Verdict verdict =
        HistoryChecker.check(workload.history(), FaultModel.inside().withStrayRequests());
    if (!verdict.isClean()) {
      throw world.failure(verdict.toString());
    }
    List<String> tooSoon = MinimumCheck.broken(workload.history(), atLeast);
    if (!tooSoon.isEmpty()) {
      throw world.failure(String.join("\n", tooSoon));
    }
    return verdict;
  }

  private void addClient(String name) {
    SimNode node = world.node(name, clock());
    node.busyExecutor(Duration.ofMillis(2));
    RandomFaults network =
        new RandomFaults(
            world.random(),
            new RandomFaults.Rates(
                random.nextDouble() * 0.05,
                0.05,
                random.nextDouble() * 0.05,
                random.nextDouble() * 0.1,
                Duration.ofMillis(2),
                Duration.ofMillis(1500)));
    networks.add(network);
    SimClient client =
        SimClient.open(
            node,
            store(node, network),
            builder -> builder.commandTimeout(COMMAND_TIMEOUT).storeTimeout(Duration.ofSeconds(2)));
    clients.add(client);
    workload.add(client, random.nextInt(1, 4));
  }

  private LeaseStore store(SimNode node, RandomFaults network) {
    return switch (scheme) {
      case REDIS_SET -> server.store(node, network);
      case SETNX -> new SetnxScripts(new RawConnection(node, server, network), node.name());
      case FAIR -> new FairScripts(new RawConnection(node, server, network));
    };
  }

  /** Something happens to a machine, and again some time later. */
  private void trouble() {
    if (workload.isIdle()) {
      return;
    }
    SimClient client = clients.get(random.nextInt(clients.size()));
    Duration span = any(lease.multipliedBy(3)).plusNanos(1);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> client.node().pause(span);
      case 3 -> {
        if (client.node().state() != SimNode.State.DOWN) {
          workload.crash(client);
          addClient("c" + clients.size());
        }
      }
      case 4 -> server.pauseOrCrash(span, random);
      default -> {
        // nothing, this time
      }
    }
    world.after(any(Duration.ofSeconds(1)), this::trouble);
  }

  private Duration any(Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
  }
}
