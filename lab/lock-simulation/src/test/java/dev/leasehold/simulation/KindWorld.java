package dev.leasehold.simulation;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.sim.RandomFaults;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimClock;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Some clients that contend for a semaphore, or for the sides of a read/write lock, with faults,
 * for some seconds of their time, all from a seed: the engine, the stores and the scripts as they
 * ship. What they stand on is for a subclass to say. Not thread-safe.
 */
public abstract class KindWorld {
  /** Of what they contend for. */
  protected static final String NAME = "a";

  private static final Duration LOAD = Duration.ofSeconds(5);
  private static final Duration LONGEST_END = Duration.ofMinutes(3);
  private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

  /** Two clocks may differ by a hundredth: each from the world's by a little less than half. */
  private static final int MOST_DRIFT = 4_900;

  /** The machines, their time and their messages. */
  protected final SimWorld world;

  /** What all is drawn from. */
  protected final RandomGenerator random;

  /** How long all leases are. */
  protected final Duration lease;

  final Kind kind;

  /** How many permits there are. */
  protected final int permits;

  final Duration longestHold;
  final LockOptions options;
  final KindCheck check;
  private final List<KindOwner> owners = new ArrayList<>();
  private final List<SimClient> clients = new ArrayList<>();
  private final List<RandomFaults> networks = new ArrayList<>();
  private boolean stopped;

  /** What the clients have. */
  public enum Kind {
    /** A semaphore. */
    SEMAPHORE,
    /** The sides of a read/write lock. */
    READ_WRITE
  }

  /** A hold that somebody believes in. */
  record Hold(String owner, Lease lease, int share, boolean alone) {
    boolean isFenced(Kind kind) {
      return kind == Kind.READ_WRITE || !lease.slots().isEmpty();
    }
  }

  /** A world, with nobody in it yet. */
  protected KindWorld(long seed, Kind kind, Duration shortestLease) {
    this.kind = kind;
    this.world = new SimWorld(seed, SimWorld.Ties.SEEDED);
    this.random = world.random();
    this.permits = random.nextInt(1, 4);
    this.check = new KindCheck(world, kind, permits);
    this.lease = Duration.ofMillis(random.nextInt((int) shortestLease.toMillis(), 1200));
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

  /** What a client's engine stands on. */
  protected abstract LeaseStore store(SimNode client);

  /** Something happens to what the clients share, and is over after this span. */
  protected abstract void trouble(Duration span);

  /** Long after all have ended: what is there and should not be; empty if nothing is. */
  protected abstract String left();

  /** With all that happens, for a failure to tell. */
  public final KindWorld traced() {
    world.traceAll();
    return this;
  }

  final boolean isStopped() {
    return stopped;
  }

  /** What was granted, in order: the same for the same seed. */
  public final String run() {
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
    String left = left();
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
    SimClient client =
        SimClient.open(
            node,
            store(node),
            builder -> builder.commandTimeout(COMMAND_TIMEOUT).storeTimeout(Duration.ofSeconds(2)));
    clients.add(client);
    int count = random.nextInt(1, 4);
    for (int i = 0; i < count; i++) {
      KindOwner owner = new KindOwner(this, client, name + "/o" + i);
      owners.add(owner);
      owner.begin();
    }
  }

  /** A clock that drifts as far as may be. */
  protected final SimClock clock() {
    return SimClock.random(random, MOST_DRIFT);
  }

  /** What becomes of a connection's messages. */
  protected final RandomFaults network(Duration usual) {
    RandomFaults network =
        new RandomFaults(
            random,
            new RandomFaults.Rates(
                random.nextDouble() * 0.05,
                0.05,
                random.nextDouble() * 0.05,
                random.nextDouble() * 0.1,
                usual,
                Duration.ofMillis(1500)));
    networks.add(network);
    return network;
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
      case 4, 5 -> trouble(span);
      default -> {
        // nothing, this time
      }
    }
    world.after(any(Duration.ofSeconds(1)), this::trouble);
  }

  /** Up to this long. */
  protected final Duration any(Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
  }

  /** What happened: the last of it, or all. */
  @Override
  public final String toString() {
    return world.toString();
  }
}
