package dev.leasehold.simulation;

import dev.leasehold.lock.HandOver;
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
 * Some clients of what they share, with faults, for some seconds of their time, all from a seed:
 * they pause and crash, others come instead, and messages are lost, late and repeated. What they do
 * and what they stand on is for subclasses to say. Not thread-safe.
 */
public abstract class RandomWorld {
  /** Within this all have to come to their end, once nothing goes wrong any more. */
  protected static final Duration LONGEST_END = Duration.ofMinutes(3);

  private static final Duration LOAD = Duration.ofSeconds(5);
  private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

  /** Two clocks may differ by a hundredth: each from the world's by a little less than half. */
  private static final int MOST_DRIFT = 4_900;

  /** The machines, their time and their messages. */
  protected final SimWorld world;

  /** What all is drawn from. */
  protected final RandomGenerator random;

  private final List<SimClient> clients = new ArrayList<>();
  private final List<RandomFaults> networks = new ArrayList<>();
  private boolean stopped;
  private String broken = "";

  /** A world, with nobody in it yet. */
  protected RandomWorld(long seed) {
    this.world = new SimWorld(seed, SimWorld.Ties.SEEDED);
    this.random = world.random();
  }

  /** What a client's engine stands on. */
  protected abstract LeaseStore store(SimNode client);

  /** A client has come, and begins. */
  protected abstract void come(SimClient client);

  /** A client has crashed. */
  protected abstract void gone(SimClient client);

  /** Whether those who were to stop have. */
  protected abstract boolean isIdle();

  /** About how long a machine that is in trouble is. */
  protected abstract Duration troubleLasts();

  /** Something happens to what the clients share, and is over after this span. */
  protected abstract void trouble(Duration span);

  /** For how long something may stay once all have ended. */
  protected abstract Duration leavesAfter();

  /** After that: what is there and should not be; empty if nothing is. */
  protected abstract String left();

  /** What has happened, in order: the same for the same seed. */
  protected abstract String story();

  /** With all that happens, for a failure to tell. */
  public final RandomWorld traced() {
    world.traceAll();
    return this;
  }

  /** Whether nobody is to begin anything. */
  protected final boolean isStopped() {
    return stopped;
  }

  /**
   * A promise is broken. Kept, since whoever calls back swallows what is thrown; the first counts.
   */
  protected final void fail(String what) {
    broken = broken.isEmpty() ? what : broken;
  }

  /** What has happened, a line each, if nothing was broken. */
  public final String run() {
    int count = random.nextInt(2, 5);
    for (int i = 0; i < count; i++) {
      addClient("c" + i);
    }
    world.after(Duration.ofMillis(200), this::trouble);
    world.runUntil(() -> !broken.isEmpty(), LOAD);
    networks.forEach(RandomFaults::calmDown);
    stopped = true;
    boolean ended = world.runUntil(() -> isIdle() || !broken.isEmpty(), LONGEST_END);
    if (!broken.isEmpty()) {
      throw world.failure(broken);
    }
    if (!ended) {
      throw world.failure("an owner never came to an end");
    }
    world.run(leavesAfter());
    String left = left();
    if (!left.isEmpty()) {
      throw world.failure("something is left: " + left);
    }
    return story();
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
    come(client);
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
    Duration span = any(troubleLasts()).plusNanos(1);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> client.node().pause(span);
      case 3 -> {
        if (client.node().state() != SimNode.State.DOWN) {
          client.node().crash();
          gone(client);
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

  /** Such leases, renewed or not, and some hand-overs in a row. */
  protected final LockOptions options(Duration lease) {
    LockOptions.Builder options = LockOptions.builder();
    if (random.nextBoolean()) {
      options.automaticLease(lease);
    } else {
      options.fixedLease(lease);
    }
    return options
        .handOver(new HandOver(random.nextInt(4), Duration.ofMillis(random.nextInt(1, 500))))
        .build();
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
