package dev.leasehold.testkit.sim;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Some clients of what they share, with faults, for some seconds of their time, all from a seed:
 * they pause and crash, others come instead, and messages are lost, late and repeated. What they do
 * and what they stand on is for subclasses to say; {@link WorkloadWorld} is one with locks. Not
 * thread-safe.
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

  /** Nobody is to begin anything from now on. */
  protected void stop() {}

  /** Whether those who were to stop have. */
  protected abstract boolean isIdle();

  /** About how long a machine that is in trouble is. */
  protected abstract Duration troubleLasts();

  /** Something happens to what the clients share, and is over after this span. */
  protected abstract void trouble(Duration span);

  /** All have ended: fails if what they did is wrong, before anybody looks for what is left. */
  protected void judge() {}

  /** For how long something may stay once all have ended. */
  protected Duration leavesAfter() {
    return LONGEST_END;
  }

  /** After that: what is there and should not be; empty if nothing is. */
  protected abstract String left();

  /** Keeps all that happens from now on, for {@link #toString} and for a failure to tell. */
  public final void traceAll() {
    world.traceAll();
  }

  /** Whether nobody is to begin anything. */
  public final boolean isStopped() {
    return stopped;
  }

  /**
   * A promise is broken. Kept, since whoever calls back swallows what is thrown; the first counts.
   */
  protected final void fail(String what) {
    broken = broken.isEmpty() ? what : broken;
  }

  /**
   * Runs it to its end.
   *
   * @throws SimFailure if a promise was broken, somebody never came to an end, or something is left
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

  /** For how long things go wrong, and who has come to an end begins again. */
  protected Duration load() {
    return LOAD;
  }

  /** How many clients there are at first. */
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
            builder -> builder.commandTimeout(COMMAND_TIMEOUT).storeTimeout(Duration.ofSeconds(2)));
    clients.add(client);
    come(client);
  }

  /** A client's clock: it drifts as far as may be. */
  protected SimClock clock() {
    return SimClock.random(random, MOST_DRIFT);
  }

  /** What becomes of a connection's messages. */
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

  /** Messages go wrong as these say, until nothing is to go wrong any more. */
  protected final RandomFaults network(RandomFaults faults) {
    networks.add(faults);
    return faults;
  }

  /** Those that have come, crashed ones too, in order. */
  protected final List<SimClient> clients() {
    return List.copyOf(clients);
  }

  /** Something happens to a machine, and again some time later. */
  private void trouble() {
    if (stopped && isIdle()) {
      return;
    }
    SimClient client = clients.get(random.nextInt(clients.size()));
    trouble(client, any(troubleLasts()).plusNanos(1));
    world.after(any(rest()), this::trouble);
  }

  /** Something happens to a client, to what they share, or to nobody. */
  protected void trouble(SimClient client, Duration span) {
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> client.node().pause(span);
      case 3 -> replace(client);
      case 4, 5 -> trouble(span);
      default -> {
        // nothing, this time
      }
    }
  }

  /** The longest time from one trouble to the next. */
  protected Duration rest() {
    return Duration.ofSeconds(1);
  }

  /** Crashes a client that has not crashed, and another one comes. */
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

  /** Such leases, renewed or not, and some hand-overs in a row. */
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

  /** Up to this long. */
  public final Duration any(Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
  }

  /** What happened: the last of it, or all. */
  @Override
  public final String toString() {
    return world.toString();
  }
}
