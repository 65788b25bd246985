package dev.leasehold.redlock;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.redis.common.RunGuard;
import dev.leasehold.redis.set.ScriptServer;
import dev.leasehold.redis.set.ScriptServer.Data;
import dev.leasehold.redis.set.SimConnection;
import dev.leasehold.testkit.sim.FaultPlan;
import dev.leasehold.testkit.sim.SimClock;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The nodes of a random world's quorum, which are paused, crash and lose their data, and the
 * production quorum on their production stores. Wall clocks are as far apart as allowed. Not
 * thread-safe.
 */
final class QuorumNodes {
  /** The shortest lease in a world. */
  static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

  /**
   * Tokens increase across the loss of a node's data if clocks are closer than it stops voting, at
   * least two seconds, less the one second by which tokens may lead a clock.
   */
  private static final long MOST_APART = Duration.ofMillis(900).toNanos();

  private final SimWorld world;
  private final RandomGenerator random;
  private final KindMutant mutant;
  private final Duration lease;
  private final List<ScriptServer> servers = new ArrayList<>();

  /** The world time from which nothing that a server lost can still be held. */
  private final Map<ScriptServer, Long> outUntil = new HashMap<>();

  private final Map<SimNode, QuorumLeaseStore> stores = new HashMap<>();

  /** Three to five nodes with such clocks. */
  QuorumNodes(
      SimWorld world,
      RandomGenerator random,
      KindMutant mutant,
      Duration lease,
      Supplier<SimClock> clock) {
    this.world = world;
    this.random = random;
    this.mutant = mutant;
    this.lease = lease;
    int nodes = random.nextInt(3) == 0 ? 5 : mutant.needsAnEvenNumber() ? 4 : 3;
    for (int i = 0; i < nodes; i++) {
      ScriptServer server = new ScriptServer(world.node("n" + i, clock.get()), mutant.change());
      server.node().stepWallClock(Duration.ofNanos(random.nextLong(MOST_APART + 1)));
      server.votesIn(Duration.ZERO, onNodes());
      servers.add(server);
      outUntil.put(server, 0L);
    }
  }

  List<ScriptServer> servers() {
    return servers;
  }

  /** The longest lease that nodes get, as by {@link RedlockBackend}. */
  private Duration onNodes() {
    return RedlockBackend.onNodes(lease, mutant.policy());
  }

  /** A client's quorum; these plans decide the fate of messages to each of its nodes. */
  LeaseStore store(SimNode client, Function<Duration, FaultPlan> network) {
    List<LeaseStore> nodes = new ArrayList<>();
    for (ScriptServer server : servers) {
      Duration usual = Duration.ofMillis(random.nextInt(1, 20));
      nodes.add(server.quorumNode(client, network.apply(usual), onNodes()));
    }
    QuorumLeaseStore store = new QuorumLeaseStore(nodes, mutant.policy(), lease);
    stores.put(client, store);
    return store;
  }

  /** Injects a fault of about this length into one node or all. */
  void trouble(Duration span) {
    // A loss of data only shows while holders are alive: nothing else happens then.
    Duration lossy = mutant.votesAtOnce() ? Mutant.RESTART : span.plus(Mutant.RESTART);
    switch (mutant.votesAtOnce() ? 3 : random.nextInt(4)) {
      case 0 -> any().node().pause(span);
      case 1 -> crash(any(), span, Data.KEPT);
      case 2 -> crash(any(), lossy, Data.LOST);
      default -> servers.forEach(server -> crash(server, lossy, Data.LOST));
    }
  }

  private ScriptServer any() {
    return servers.get(random.nextInt(servers.size()));
  }

  private void crash(ScriptServer server, Duration away, Data data) {
    boolean isLetIn = random.nextBoolean();
    if (server.node().state() == SimNode.State.DOWN) {
      return;
    }
    server.crash();
    world.after(
        away,
        () -> {
          server.restart(data);
          if (data == Data.LOST) {
            // By its own clock, which may be slow.
            Duration out = RunGuard.staysOutFor(onNodes()).multipliedBy(2);
            outUntil.put(server, world.nanos() + out.toNanos());
          }
          boolean nothingLost = world.nanos() > outUntil.get(server);
          if (nothingLost ? isLetIn : mutant.votesAtOnce()) {
            server.votesIn(Duration.ZERO, onNodes()); // by hand
          }
        });
  }

  /** The keys left on nodes other than these, and the records left in clients of their releases. */
  String left(Set<String> stays) {
    StringBuilder left = new StringBuilder();
    for (ScriptServer server : servers) {
      Set<Object> keys = new TreeSet<>((List<?>) server.byHand("KEYS", "*"));
      keys.remove("lh:node");
      keys.removeAll(stays);
      keys.removeIf(SimConnection::isWordOfARelease);
      if (!keys.isEmpty()) {
        left.append(server).append(' ').append(keys).append(' ');
      }
    }
    stores.forEach(
        (client, store) -> {
          if (client.state() == SimNode.State.RUNNING && store.size() > 0) {
            left.append(client)
                .append(" keeps something of ")
                .append(store.size())
                .append(" tokens ");
          }
        });
    return left.toString();
  }
}
