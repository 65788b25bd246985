package dev.leasehold.redlock;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.redis.common.RunGuard;
import dev.leasehold.redis.set.ScriptServer;
import dev.leasehold.redis.set.ScriptServer.Data;
import dev.leasehold.simulation.KindWorld;
import dev.leasehold.testkit.sim.SimNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Kinds of locks on a quorum of nodes, which are paused, crash and lose their data: the real quorum
 * on the nodes' real stores. Wall clocks are as far apart as they may be.
 */
final class KindQuorumRun extends KindWorld {
  private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

  /**
   * Tokens grow over the loss of a node's data if clocks are less apart than it stays out, which is
   * two seconds at least, less the second that tokens may lead a clock by.
   */
  private static final Duration APART = Duration.ofMillis(900);

  private static final String SLOTS = "lh:{" + NAME + "}:slots:of";

  /** What stays for a day. */
  private static final Set<String> STAYS =
      Set.of("lh:node", SLOTS, "lh:{" + NAME + "}:permits:number", "lh:{" + NAME + "}:rw:fences");

  private final KindMutant mutant;
  private final List<ScriptServer> servers = new ArrayList<>();

  /** From when on nothing that a server forgot can be held any more, in the world's time. */
  private final Map<ScriptServer, Long> outUntil = new HashMap<>();

  private final Map<SimNode, QuorumLeaseStore> stores = new HashMap<>();

  KindQuorumRun(long seed, Kind kind, KindMutant mutant) {
    super(seed, kind, SHORTEST_LEASE);
    this.mutant = mutant;
    int nodes = random.nextInt(3) == 0 ? 5 : mutant == KindMutant.HALF_THE_VOTES ? 4 : 3;
    for (int i = 0; i < nodes; i++) {
      ScriptServer server = new ScriptServer(world.node("n" + i, clock()), mutant.change());
      server.node().stepWallClock(any(APART));
      server.votesIn(Duration.ZERO, onNodes());
      servers.add(server);
      outUntil.put(server, 0L);
    }
  }

  private QuorumPolicy policy() {
    return mutant.policy();
  }

  /** What nodes are told, as by {@link RedlockBackend}. */
  private Duration onNodes() {
    return RedlockBackend.onNodes(lease, policy());
  }

  @Override
  protected LeaseStore store(SimNode client) {
    List<LeaseStore> nodes = new ArrayList<>();
    for (ScriptServer server : servers) {
      Duration usual = Duration.ofMillis(random.nextInt(1, 20));
      nodes.add(server.quorumNode(client, network(usual), onNodes()));
    }
    QuorumLeaseStore store = new QuorumLeaseStore(nodes, policy(), lease);
    stores.put(client, store);
    return store;
  }

  @Override
  protected void trouble(Duration span) {
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

  @Override
  protected String left() {
    StringBuilder left = new StringBuilder();
    for (ScriptServer server : servers) {
      Set<Object> keys = new TreeSet<>((List<?>) server.byHand("KEYS", "*"));
      keys.removeAll(STAYS);
      long known = (Long) server.byHand("HLEN", SLOTS);
      // The number, and of each slot its fence and at most who had it last.
      if (known > 1 + 3L * permits) {
        keys.add(server.byHand("HGETALL", SLOTS));
      }
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
