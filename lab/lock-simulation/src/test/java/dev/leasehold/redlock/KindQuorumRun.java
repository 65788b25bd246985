package dev.leasehold.redlock;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.redis.set.ScriptServer;
import dev.leasehold.simulation.KindWorld;
import dev.leasehold.testkit.sim.SimNode;
import java.time.Duration;
import java.util.Set;

/** Locks of one kind on a quorum of {@link QuorumNodes}. */
final class KindQuorumRun extends KindWorld {
  private static final String SLOTS = "lh:{" + NAME + "}:slots:of";

  /** Keys that stay for a day. */
  private static final Set<String> STAYS =
      Set.of(SLOTS, "lh:{" + NAME + "}:permits:number", "lh:{" + NAME + "}:rw:fences");

  private final QuorumNodes nodes;

  KindQuorumRun(long seed, Kind kind, KindMutant mutant) {
    super(seed, kind, QuorumNodes.SHORTEST_LEASE);
    nodes = new QuorumNodes(world, random, mutant, lease, this::clock);
  }

  @Override
  protected LeaseStore store(SimNode client) {
    return nodes.store(client, this::network);
  }

  @Override
  protected void trouble(Duration span) {
    nodes.trouble(span);
  }

  @Override
  protected String left() {
    StringBuilder left = new StringBuilder();
    for (ScriptServer server : nodes.servers()) {
      // The number of permits and, per slot, its fence and at most its last holder.
      if ((Long) server.byHand("HLEN", SLOTS) > 1 + 3L * permits) {
        left.append(server).append(' ').append(server.byHand("HGETALL", SLOTS)).append(' ');
      }
    }
    return left + nodes.left(STAYS);
  }
}
