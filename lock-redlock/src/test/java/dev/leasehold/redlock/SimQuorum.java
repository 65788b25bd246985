package dev.leasehold.redlock;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.sim.FaultPlan;
import dev.leasehold.testkit.sim.SimCall;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimClock;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.SimServer;
import dev.leasehold.testkit.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Simulated nodes in memory, and clients of the real engine on the real quorum. */
final class SimQuorum {
  static final Duration WAY = Duration.ofMillis(1);

  final SimWorld world = new SimWorld(1);
  final List<SimServer> servers = new ArrayList<>();
  final List<SimCall> calls = new ArrayList<>();
  final List<QuorumLeaseStore> stores = new ArrayList<>();

  SimQuorum(int nodes) {
    for (int i = 0; i < nodes; i++) {
      // Clocks of some milliseconds' difference, as of hosts that keep time by NTP.
      servers.add(new SimServer(world.node("n" + i, new SimClock(3_000_000L * i, 0))));
    }
  }

  SimClient client(String name) {
    return client(name, QuorumPolicy.majority(), FaultPlan.calm(WAY), b -> b);
  }

  SimClient client(String name, FaultPlan faults) {
    return client(name, QuorumPolicy.majority(), faults, b -> b);
  }

  SimClient client(
      String name,
      QuorumPolicy policy,
      FaultPlan faults,
      UnaryOperator<LockManager.Builder> settings) {
    SimNode machine = world.node(name);
    List<LeaseStore> nodes = new ArrayList<>();
    for (SimServer server : servers) {
      nodes.add(
          server.connect(
              machine,
              call -> {
                calls.add(call);
                return faults.fate(call);
              }));
    }
    QuorumLeaseStore store = new QuorumLeaseStore(nodes, policy, LockOptions.LONGEST_LEASE);
    stores.add(store);
    return SimClient.open(machine, store, settings);
  }

  long held(String lock) {
    return servers.stream().filter(server -> server.peek(lock).isPresent()).count();
  }

  long sent(SimCall.Operation operation) {
    return calls.stream().filter(call -> call.operation() == operation).count();
  }

  void run(long millis) {
    world.run(Duration.ofMillis(millis));
  }
}
