package dev.leasehold.redis.set;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Processes with a manager each on one modelled server: the production engine, store and scripts in
 * simulated time. The server executes one command after another, and counts them. Not thread-safe.
 *
 * <p>Not modelled: that a command with many keys takes longer, and what a client sends while it
 * connects.
 */
final class Fleet {
  /** As a server that executes 100 000 commands a second. */
  private static final Duration COMMAND = Duration.ofNanos(10_000);

  private static final long SHORTEST_WAY_NANOS = 100_000;
  private static final long LONGEST_WAY_NANOS = 500_000;

  /** The span of a count, of which the busiest is a peak. */
  private static final long TENTH_NANOS = Duration.ofMillis(100).toNanos();

  private final SimWorld world;
  private final RandomGenerator random;
  private final ScriptServer server;
  private final List<SimClient> clients = new ArrayList<>();

  /** Commands executed in each tenth of a second. */
  private final TreeMap<Long, Long> executed = new TreeMap<>();

  private final List<Lease> leases = new ArrayList<>();
  private long handOvers;
  private long latestToken;
  private @Nullable SimClient latestHolder;
  private boolean held;
  private Duration section = Duration.ZERO;

  /** When the server will have executed everything that was sent so far. */
  private long free;

  /**
   * Starts the processes.
   *
   * @param processes at least two
   * @param change applied to each script that the server is sent
   */
  Fleet(int processes, UnaryOperator<String> change) {
    if (processes < 2) {
      throw new IllegalArgumentException(processes + " processes are no fleet: 2 or more are");
    }
    this.world = new SimWorld(Long.getLong("leasehold.seed", 1), SimWorld.Ties.SEEDED);
    this.random = world.random();
    this.server = new ScriptServer(world.node("server"), change);
    server.around(
        (words, step) -> {
          executed.merge(world.nanos() / TENTH_NANOS, 1L, Long::sum);
          return step.get();
        });
    for (int i = 0; i < processes; i++) {
      SimNode node = world.node("p" + i);
      clients.add(SimClient.open(node, server.store(node, this::fate)));
    }
  }

  private Fate fate(SimCall call) {
    long now = world.nanos();
    if (call.operation() == SimCall.Operation.WAKE_UP) {
      return Fate.after(way());
    }
    free = Math.max(free, now + way().toNanos()) + COMMAND.toNanos();
    return Fate.after(Duration.ofNanos(free - now), way());
  }

  private Duration way() {
    return Duration.ofNanos(random.nextLong(SHORTEST_WAY_NANOS, LONGEST_WAY_NANOS));
  }

  // ---- what the processes do ----

  /** Each process takes so many names of its own, one after another, and keeps them. */
  void hold(int names) {
    spread(client -> hold(client, names));
  }

  private void hold(SimClient client, int left) {
    if (left == 0) {
      return;
    }
    client
        .lock(client.node().name() + "-" + left)
        .acquireAsync()
        .whenComplete(
            (lease, failure) -> {
              if (failure != null) {
                fail(failure.toString());
                return;
              }
              leases.add(lease);
              hold(client, left - 1);
            });
  }

  /** Each process waits for one name, keeps it for this long, and wants it again. */
  void contend(Duration section) {
    this.section = section;
    spread(this::take);
  }

  private void take(SimClient client) {
    client
        .lock("hot")
        .as(LockOwner.unique("worker"))
        .acquireAsync()
        .whenComplete(
            (lease, failure) -> {
              if (failure != null) {
                fail(failure.toString());
                return;
              }
              if (lease.fencingToken() <= latestToken || held) {
                fail(lease + " after token " + latestToken + (held ? ", which holds it" : ""));
              }
              held = true;
              latestToken = lease.fencingToken();
              handOvers += client == latestHolder ? 0 : 1;
              latestHolder = client;
              client.node().scheduler().schedule(section, () -> release(client, lease));
            });
  }

  private void release(SimClient client, Lease lease) {
    held = false;
    lease
        .releaseAsync()
        .whenComplete(
            (done, failure) -> {
              if (failure == null || failure instanceof LockStoreException) {
                take(client); // while the server is away, the engine releases in the background
              } else {
                fail(failure.toString());
              }
            });
  }

  /** Ends the run: a future keeps what its callback throws to itself. */
  private void fail(String why) {
    world.after(
        Duration.ZERO,
        () -> {
          throw world.failure(why);
        });
  }

  /** Starts each process at some time of the first second. */
  private void spread(Consumer<SimClient> start) {
    for (SimClient client : clients) {
      world.after(Duration.ofNanos(random.nextLong(1_000_000_000)), () -> start.accept(client));
    }
  }

  // ---- what happens to the server ----

  /** The server crashes, and restarts with its data. */
  void restart(Duration down) {
    server.crash();
    world.run(down);
    free = world.nanos();
    server.restart(ScriptServer.Data.KEPT);
  }

  // ---- what is seen ----

  void run(Duration span) {
    world.run(span);
  }

  /** Runs until all of these are held. */
  void runUntilHeld(int names) {
    if (!world.runUntil(() -> leases.size() >= names, Duration.ofMinutes(10))) {
      throw world.failure("held are " + leases.size() + " of " + names);
    }
  }

  /**
   * Runs until each lease that is kept was renewed after now, in steps of a tenth of a second.
   *
   * @return how long that took
   */
  Duration runUntilRenewed() {
    long from = world.nanos();
    Duration lease = LockOptions.defaults().lease();
    while (true) {
      world.run(Duration.ofNanos(TENTH_NANOS));
      Duration since = Duration.ofNanos(world.nanos() - from);
      Duration least = lease.minus(since).minus(lease.dividedBy(50));
      if (leases.stream().allMatch(one -> one.remaining().compareTo(least) >= 0)) {
        return since;
      }
      if (since.compareTo(lease) > 0) {
        throw world.failure("not all leases were renewed within " + lease);
      }
    }
  }

  /** How many of the kept leases are lost. */
  long lost() {
    return leases.stream().filter(lease -> !lease.isValid()).count();
  }

  /** How often the contended name went from one process to another. */
  long handOvers() {
    return handOvers;
  }

  /** Commands executed so far. */
  long commands() {
    return executed.values().stream().mapToLong(count -> count).sum();
  }

  /** The most commands in a tenth of a second since then, as a rate for each second. */
  long peakSince(long nanos) {
    return 10
        * executed.tailMap(nanos / TENTH_NANOS).values().stream()
            .mapToLong(count -> count)
            .max()
            .orElse(0);
  }

  long nanos() {
    return world.nanos();
  }

  /** How many wait in the line of the contended name. */
  long waiting() {
    return server.waiters("hot");
  }
}
