package dev.leasehold.redlock;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.redis.set.ScriptServer;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.FaultPlan;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Processes of four threads that repeatedly take one lock, on a machine with too few CPUs: each
 * process runs for some milliseconds, and then gets no CPU for up to twenty. Runs for three
 * simulated seconds, after one of warm-up. On one node it uses redis-set, on more redlock.
 */
final class TurnsRun {
  private static final int THREADS = 4;
  private static final Duration WARM_UP = Duration.ofSeconds(1);
  private static final Duration MEASURED = Duration.ofSeconds(3);
  private static final Duration LONGEST_LEASE = Duration.ofSeconds(30);
  private static final Duration A_TASK = Duration.ofNanos(100_000);
  private static final long SHORTEST_WAY_NANOS = 50_000;
  private static final long LONGEST_WAY_NANOS = 500_000;
  private static final long SHORTEST_SLICE_NANOS = 1_000_000;
  private static final long LONGEST_SLICE_NANOS = 6_000_000;
  private static final long LONGEST_OFF_NANOS = 20_000_000;

  private final SimWorld world;
  private final RandomGenerator random;
  private final List<ScriptServer> servers = new ArrayList<>();
  private final boolean inOrder;
  private final long[] sections;
  private long longestWait;
  private long latestToken;

  /**
   * The result.
   *
   * @param each number of sections of each process
   */
  record Result(List<Long> each, Duration longestWait) {
    long sections() {
      return each.stream().mapToLong(n -> n).sum();
    }

    /** The share of the least served process, relative to an even share. */
    double leastShare() {
      long least = each.stream().min(Long::compare).orElseThrow();
      return (double) least * each.size() / Math.max(1, sections());
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "least share %.2f, longest wait %d ms, sections %s",
          leastShare(),
          longestWait.toMillis(),
          each);
    }
  }

  TurnsRun(int nodes, int processes, UnaryOperator<String> change) {
    this(nodes, processes, false, change);
  }

  TurnsRun(int nodes, int processes, boolean inOrder, UnaryOperator<String> change) {
    this.world = new SimWorld(Long.getLong("leasehold.seed", 1), SimWorld.Ties.SEEDED);
    this.random = world.random();
    this.inOrder = inOrder;
    this.sections = new long[processes];
    for (int i = 0; i < nodes; i++) {
      ScriptServer server = new ScriptServer(world.node("n" + i), change);
      if (nodes > 1) {
        server.votesIn(Duration.ZERO, LONGEST_LEASE);
      }
      servers.add(server);
    }
  }

  Result run(boolean isOneDown) {
    for (int i = 0; i < sections.length; i++) {
      process(i);
    }
    if (isOneDown) {
      world.after(WARM_UP.dividedBy(2), servers.get(0)::crash);
    }
    world.run(WARM_UP.plus(MEASURED));
    return new Result(Arrays.stream(sections).boxed().toList(), Duration.ofNanos(longestWait));
  }

  private void process(int number) {
    SimNode node = world.node("p" + number);
    node.busyExecutor(A_TASK);
    SimClient client = SimClient.open(node, store(node));
    for (int i = 0; i < THREADS; i++) {
      take(client, number, LockOwner.unique("t" + i));
    }
    runs(node);
  }

  private LeaseStore store(SimNode node) {
    FaultPlan network = call -> Fate.after(way(), way());
    if (servers.size() == 1) {
      return servers.get(0).store(node, network);
    }
    List<LeaseStore> nodes = new ArrayList<>();
    for (ScriptServer server : servers) {
      nodes.add(
          inOrder
              ? server.fairNode(node, network, LONGEST_LEASE)
              : server.quorumNode(node, network, LONGEST_LEASE));
    }
    return new QuorumLeaseStore(nodes, QuorumPolicy.majority(), LONGEST_LEASE);
  }

  private Duration way() {
    return Duration.ofNanos(random.nextLong(SHORTEST_WAY_NANOS, LONGEST_WAY_NANOS));
  }

  /** A thread that repeatedly takes and releases the lock. */
  private void take(SimClient client, int number, LockOwner owner) {
    long since = world.nanos();
    client
        .lock("a")
        .as(owner)
        .acquireAsync()
        .thenCompose(
            lease -> {
              exclusive(lease);
              waited(number, since);
              return lease.releaseAsync();
            })
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                fail(failure);
              } else {
                take(client, number, owner);
              }
            });
  }

  /** Ends the run: a future keeps what its callback throws to itself. */
  private void fail(Throwable why) {
    world.after(
        Duration.ZERO,
        () -> {
          throw world.failure(why.toString());
        });
  }

  /** Each holder has a larger token than all before: a lock that does nothing has no tokens. */
  private void exclusive(Lease lease) {
    if (lease.fencingToken() <= latestToken) {
      throw world.failure(lease + " after token " + latestToken);
    }
    latestToken = lease.fencingToken();
  }

  private void waited(int number, long since) {
    long from = WARM_UP.toNanos();
    if (world.nanos() >= from) {
      sections[number]++;
      longestWait = Math.max(longestWait, world.nanos() - Math.max(since, from));
    }
  }

  /** The node gets CPU time for some milliseconds, and then none. */
  private void runs(SimNode node) {
    Duration slice = Duration.ofNanos(random.nextLong(SHORTEST_SLICE_NANOS, LONGEST_SLICE_NANOS));
    Duration off = Duration.ofNanos(random.nextLong(1, LONGEST_OFF_NANOS));
    world.after(slice, () -> node.pause(off));
    world.after(slice.plus(off), () -> runs(node));
  }
}
