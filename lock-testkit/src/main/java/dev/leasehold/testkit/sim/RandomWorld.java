package dev.leasehold.testkit.sim;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A simulated world of several clients that share a resource, with random faults for some seconds
 * of simulated time, all drawn from a seed: clients pause, crash and are replaced, and messages are
 * lost, delayed and duplicated. Subclasses define the clients' work and their store; {@link
 * WorkloadWorld} is one with locks. Not thread-safe.
 */
public abstract class RandomWorld {
  /** The time for all clients to finish once there are no more faults. */
  protected static final Duration LONGEST_END = Duration.ofMinutes(3);

  private static final Duration LOAD = Duration.ofSeconds(5);
  private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

  /**
   * Two clocks may differ by 1 %: each deviates from the world's by a little less than half of
   * that.
   */
  private static final int MOST_DRIFT = 4_900;

  /** The simulated machines, time and network. */
  protected final SimWorld world;

  /** The source of all random choices. */
  protected final RandomGenerator random;

  private final List<SimClient> clients = new ArrayList<>();
  private final List<RandomFaults> networks = new ArrayList<>();
  private boolean stopped;
  private String broken = "";

  /** A world without clients. */
  protected RandomWorld(long seed) {
    this.world = new SimWorld(seed, SimWorld.Ties.SEEDED);
    this.random = world.random();
  }

  /** The store of a client's engine. */
  protected abstract LeaseStore store(SimNode client);

  /** A client has started; begins its work. */
  protected abstract void come(SimClient client);

  /** A client has crashed. */
  protected abstract void gone(SimClient client);

  /** Starts no new work from now on. */
  protected void stop() {}

  /** Whether all work has ended. */
  protected abstract boolean isIdle();

  /** The approximate length of a machine's faults. */
  protected abstract Duration troubleLasts();

  /** Injects a fault of the given length into the shared resource. */
  protected abstract void trouble(Duration span);

  /**
   * Called once all work has ended: fails if the results are wrong, before leftovers are checked.
   */
  protected void judge() {}

  /** How long leftovers may stay once all work has ended. */
  protected Duration leavesAfter() {
    return LONGEST_END;
  }

  /** Describes what is left after that time and should not be; empty if nothing is. */
  protected abstract String left();

  /** Keeps the full trace from now on, for {@link #toString} and for failures. */
  public final void traceAll() {
    world.traceAll();
  }

  /** Whether no new work is started. */
  public final boolean isStopped() {
    return stopped;
  }

  /**
   * Reports a violated guarantee. It is stored, since callers of callbacks swallow exceptions; the
   * first one counts.
   */
  protected final void fail(String what) {
    broken = broken.isEmpty() ? what : broken;
  }

  /**
   * Runs the world to its end.
   *
   * @throws SimFailure if a guarantee was violated, work never ended, or something is left
   */
  protected final void play() {
    int count = howMany();
    for (int i = 0; i < count; i++) {
      addClient("c" + i);
    }
    world.after(Duration.ofMillis(200), this::trouble);
    world.runUntil(() -> !broken.isEmpty(), load());
    networks.forEach(RandomFaults::calmDown);
    stopped = true;
    stop();
    boolean ended = world.runUntil(() -> isIdle() || !broken.isEmpty(), LONGEST_END);
    if (!broken.isEmpty()) {
      throw world.failure(broken);
    }
    if (!ended) {
      throw world.failure("an owner never came to an end");
    }
    judge();
    world.run(leavesAfter());
    String left = left();
    if (!left.isEmpty()) {
      throw world.failure("something is left: " + left);
    }
  }

  /** How long faults are injected and clients start new work. */
  protected Duration load() {
    return LOAD;
  }

  /** The initial number of clients. */
  protected int howMany() {
    return random.nextInt(2, 5);
  }

  private void addClient(String name) {
    SimNode node = world.node(name, clock());
    node.busyExecutor(Duration.ofMillis(2));
    SimClient client =
        SimClient.open(
            node,
            store(node),
            builder ->
                settings(
                    builder.commandTimeout(COMMAND_TIMEOUT).storeTimeout(Duration.ofSeconds(2))));
    clients.add(client);
    come(client);
  }

  /** Changes a client's settings. */
  protected LockManager.Builder settings(LockManager.Builder builder) {
    return builder;
  }

  /** A client's clock, with as much drift as is allowed. */
  protected SimClock clock() {
    return SimClock.random(random, MOST_DRIFT);
  }

  /** The fates of a connection's messages. */
  protected final RandomFaults network(Duration usual) {
    return network(
        new RandomFaults(
            random,
            new RandomFaults.Rates(
                random.nextDouble() * 0.05,
                0.05,
                random.nextDouble() * 0.05,
                random.nextDouble() * 0.1,
                usual,
                Duration.ofMillis(1500))));
  }

  /** Applies these faults to messages until faults end altogether. */
  protected final RandomFaults network(RandomFaults faults) {
    networks.add(faults);
    return faults;
  }

  /** All clients so far, including crashed ones, in order. */
  protected final List<SimClient> clients() {
    return List.copyOf(clients);
  }

  /** Injects a fault into a machine, and schedules the next. */
  private void trouble() {
    if (stopped && isIdle()) {
      return;
    }
    SimClient client = clients.get(random.nextInt(clients.size()));
    trouble(client, any(troubleLasts()).plusNanos(1));
    world.after(any(rest()), this::trouble);
  }

  /** Injects a fault into a client, the shared resource, or nothing. */
  protected void trouble(SimClient client, Duration span) {
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> client.node().pause(span);
      case 3 -> replace(client);
      case 4, 5 -> trouble(span);
      default -> {
        // no fault this time
      }
    }
  }

  /** The longest time between two faults. */
  protected Duration rest() {
    return Duration.ofSeconds(1);
  }

  /** Crashes a client, unless it has crashed already, and starts another one. */
  protected final void replace(SimClient client) {
    if (client.node().state() != SimNode.State.DOWN) {
      crash(client);
      addClient("c" + clients.size());
    }
  }

  /** Crashes a client. */
  protected void crash(SimClient client) {
    client.node().crash();
    gone(client);
  }

  /** Options with leases of this length, automatic or fixed, and a random hand-over limit. */
  protected final LockOptions.Builder options(Duration lease) {
    LockOptions.Builder options = LockOptions.builder();
    if (random.nextBoolean()) {
      options.automaticLease(lease);
    } else {
      options.fixedLease(lease);
    }
    return options.handOver(
        new HandOver(random.nextInt(4), Duration.ofMillis(random.nextInt(1, 500))));
  }

  /** A random duration of at most {@code most}. */
  public final Duration any(Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
  }

  /** The trace, or the last part of it. */
  @Override
  public final String toString() {
    return world.toString();
  }
}
