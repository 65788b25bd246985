package dev.leasehold.redlock;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.sim.FaultPlan;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimNode;
import java.util.List;
import java.util.function.Function;

/** A quorum over three simulated nodes that a test changes, without an engine's waiters on it. */
record SimNodes<N extends QuorumNode>(SimQuorum sim, List<N> nodes, QuorumLeaseStore store) {

  static <N extends QuorumNode> SimNodes<N> of(Function<QuorumNode, N> change) {
    SimQuorum sim = new SimQuorum(3);
    SimNode machine = sim.world.node("c");
    List<N> nodes =
        sim.servers.stream()
            .map(server -> change.apply(server.connect(machine, FaultPlan.calm(SimQuorum.WAY))))
            .toList();
    QuorumLeaseStore store =
        new QuorumLeaseStore(nodes, QuorumPolicy.majority(), LockOptions.LONGEST_LEASE);
    SimClient.open(machine, store, builder -> builder);
    return new SimNodes<>(sim, nodes, store);
  }
}
