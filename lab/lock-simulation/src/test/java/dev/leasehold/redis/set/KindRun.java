package dev.leasehold.redis.set;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.redis.set.ScriptServer.Data;
import dev.leasehold.testkit.sim.RandomFaults;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimClock;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Some clients of one server that contend for a semaphore, or for the sides of a read/write lock,
 * with faults, for some seconds of their time, all from a seed: the engine, redis-set's store and
 * the scripts as they ship. The server keeps its data.
 */
final class KindRun {
  static final String NAME = "a";
  private static final Duration LOAD = Duration.ofSeconds(5);
  private static final Duration LONGEST_END = Duration.ofMinutes(3);
  private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

  /** Two clocks may differ by a hundredth: each from the world's by a little less than half. */
  private static final int MOST_DRIFT = 4_900;

  /** What stays for a day. */
  private static final Set<String> STAYS =
      Set.of("lh:{" + NAME + "}:permits:number", "lh:{" + NAME + "}:rw:fences");

  /** What the clients have. */
  enum Kind {
    /** A semaphore. */
    SEMAPHORE,
    /** The sides of a read/write lock. */
    READ_WRITE
  }

  final SimWorld world;
  final RandomGenerator random;
  final Kind kind;
  final int permits;
  final Duration lease;
  final Duration longestHold;
  final LockOptions options;
  final KindCheck check;
  private final ScriptServer server;
  private final List<KindOwner> owners = new ArrayList<>();
  private final List<SimClient> clients = new ArrayList<>();
  private final List<RandomFaults> networks = new ArrayList<>();
  private boolean stopped;

  KindRun(long seed, Kind kind, UnaryOperator<String> change) {
    this.kind = kind;
    this.world = new SimWorld(seed, SimWorld.Ties.SEEDED);
    this.random = world.random();
    this.server = new ScriptServer(world.node("server", clock()), change);
    this.permits = random.nextInt(1, 4);
    this.check = new KindCheck(world, kind == Kind.SEMAPHORE ? permits : 1);
    this.lease = Duration.ofMillis(random.nextInt(50, 1200));
    this.longestHold = Duration.ofMillis(random.nextInt(1, 2 * (int) lease.toMillis()));
    LockOptions.Builder builder = LockOptions.builder();
    if (random.nextBoolean()) {
      builder.automaticLease(lease);
    } else {
      builder.fixedLease(lease);
    }
    builder.handOver(new HandOver(random.nextInt(4), Duration.ofMillis(random.nextInt(1, 500))));
    this.options = builder.build();
  }

  private SimClock clock() {
    return SimClock.random(random, MOST_DRIFT);
  }

  /** With all that happens, for a failure to tell. */
  KindRun traced() {
    world.traceAll();
    return this;
  }

  boolean isStopped() {
    return stopped;
  }

  /** What was granted, in order: the same for the same seed. */
  String run() {
    int count = random.nextInt(2, 5);
    for (int i = 0; i < count; i++) {
      addClient("c" + i);
    }
    world.after(Duration.ofMillis(200), this::trouble);
    world.runUntil(() -> !check.broken().isEmpty(), LOAD);
    networks.forEach(RandomFaults::calmDown);
    stopped = true;
    boolean ended = world.runUntil(() -> isIdle() || !check.broken().isEmpty(), LONGEST_END);
    if (!check.broken().isEmpty()) {
      throw world.failure(check.broken());
    }
    if (!ended) {
      throw world.failure("an owner never came to an end");
    }
    world.run(LONGEST_END);
    Set<Object> left = new TreeSet<>((List<?>) server.byHand("KEYS", "*"));
    left.removeAll(STAYS);
    if (!left.isEmpty()) {
      throw world.failure("something is left: " + left);
    }
    return check.granted();
  }

  private boolean isIdle() {
    return owners.stream().allMatch(KindOwner::isIdle);
  }

  private void addClient(String name) {
    SimNode node = world.node(name, clock());
    node.busyExecutor(Duration.ofMillis(2));
    RandomFaults network =
        new RandomFaults(
            random,
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
            server.store(node, network),
            builder -> builder.commandTimeout(COMMAND_TIMEOUT).storeTimeout(Duration.ofSeconds(2)));
    clients.add(client);
    int count = random.nextInt(1, 4);
    for (int i = 0; i < count; i++) {
      KindOwner owner = new KindOwner(this, client, name + "/o" + i);
      owners.add(owner);
      owner.begin();
    }
  }

  /** Something happens to a machine, and again some time later. */
  private void trouble() {
    if (stopped && isIdle()) {
      return;
    }
    SimClient client = clients.get(random.nextInt(clients.size()));
    Duration span = any(lease.multipliedBy(3)).plusNanos(1);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> client.node().pause(span);
      case 3 -> {
        if (client.node().state() != SimNode.State.DOWN) {
          client.node().crash();
          owners.removeIf(owner -> owner.diedWith(client));
          addClient("c" + clients.size());
        }
      }
      case 4 -> serverTrouble(span);
      default -> {
        // nothing, this time
      }
    }
    world.after(any(Duration.ofSeconds(1)), this::trouble);
  }

  private void serverTrouble(Duration span) {
    if (server.node().state() != SimNode.State.RUNNING) {
      return;
    }
    if (random.nextBoolean()) {
      server.node().pause(span);
    } else {
      server.crash();
      world.after(span, () -> server.restart(Data.KEPT));
    }
  }

  Duration any(Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
  }

  /** A hold that somebody believes in. */
  record Hold(String owner, Lease lease, int share, boolean alone) {}
}
