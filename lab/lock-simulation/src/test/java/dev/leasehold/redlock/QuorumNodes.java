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
 * The nodes of a random world's quorum, which are paused, crash and lose their data, and the real
 * quorum on their real stores. Wall clocks are as far apart as they may be. Not thread-safe.
 */
final class QuorumNodes {
  /** The least time to live of a world's leases. */
  static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

  /**
   * Tokens grow over the loss of a node's data if clocks are less apart than it stays out, which is
   * two seconds at least, less the second that tokens may lead a clock by.
   */
  private static final long MOST_APART = Duration.ofMillis(900).toNanos();

  private final SimWorld world;
  private final RandomGenerator random;
  private final KindMutant mutant;
  private final Duration lease;
  private final List<ScriptServer> servers = new ArrayList<>();

  /** From when on nothing that a server forgot can be held any more, in the world's time. */
  private final Map<ScriptServer, Long> outUntil = new HashMap<>();

  private final Map<SimNode, QuorumLeaseStore> stores = new HashMap<>();

  /** Three of them, or four or five, each with such a clock. */
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

  /** What nodes are told, as by {@link RedlockBackend}. */
  private Duration onNodes() {
    return RedlockBackend.onNodes(lease, mutant.policy());
  }

  /** A client's quorum; messages with each of its nodes go as these say. */
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

  /** Something happens to one of them, or to all, for about so long. */
  void trouble(Duration span) {
    // What forgets shows only while those who held are there: then nothing else happens.
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

  /** What is kept on nodes but these keys, and by clients of what they released. */
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
