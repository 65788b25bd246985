package dev.leasehold.redlock;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.redis.set.ScriptServer;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.FaultPlan;
import dev.leasehold.testkit.sim.SimCall;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimClock;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Servers with the production scripts and production clients, for one story. */
class Scene implements FaultPlan {
  static final Duration WAY = Duration.ofMillis(1);

  /** The longest lease of its quorums. */
  static final Duration LONGEST = Duration.ofSeconds(40);

  final SimWorld world = new SimWorld(1);
  final List<ScriptServer> servers = new ArrayList<>();
  final List<SimCall> calls = new ArrayList<>();

  /** The fate of each message; by default there are no faults. */
  FaultPlan plan = call -> Fate.after(WAY);

  private final QuorumPolicy policy;

  /** Servers whose clocks differ by some milliseconds, as with NTP. */
  Scene(int count) {
    this(count, QuorumPolicy.majority());
  }

  Scene(int count, QuorumPolicy policy) {
    this.policy = policy;
    for (int i = 0; i < count; i++) {
      ScriptServer server =
          new ScriptServer(world.node("n" + i, new SimClock(0, 0)), UnaryOperator.identity());
      server.node().stepWallClock(Duration.ofMillis(3L * i));
      server.votesIn(Duration.ZERO, onNodes());
      servers.add(server);
    }
  }

  @Override
  public Fate fate(SimCall call) {
    calls.add(call);
    return plan.fate(call);
  }

  /** A client of one server. */
  SimClient client(String name) {
    SimNode node = world.node(name);
    return open(node, servers.get(0).store(node, this));
  }

  /** A client of one server whose leases linger. */
  SimClient lingeringClient(String name, Duration time) {
    SimNode node = world.node(name);
    return open(node, servers.get(0).store(node, this), builder -> builder.linger(time));
  }

  /** A client of a quorum of all servers. */
  SimClient quorumClient(String name) {
    SimNode node = world.node(name);
    return open(node, quorum(node));
  }

  /** A client of a quorum of all servers whose leases linger. */
  SimClient lingeringQuorumClient(String name, Duration time) {
    SimNode node = world.node(name);
    return open(node, quorum(node), builder -> builder.linger(time));
  }

  /** A client of a quorum of all servers that grants in the order of arrival. */
  SimClient fairClient(String name) {
    SimNode node = world.node(name);
    return open(node, quorum(server -> server.fairNode(node, this, onNodes())));
  }

  QuorumLeaseStore quorum(SimNode node) {
    return quorum(server -> server.quorumNode(node, this, onNodes()));
  }

  private QuorumLeaseStore quorum(Function<ScriptServer, LeaseStore> node) {
    return new QuorumLeaseStore(servers.stream().map(node).toList(), policy, LONGEST);
  }

  private Duration onNodes() {
    return RedlockBackend.onNodes(LONGEST, policy);
  }

  private static SimClient open(SimNode node, LeaseStore store) {
    return open(node, store, UnaryOperator.identity());
  }

  private static SimClient open(
      SimNode node, LeaseStore store, UnaryOperator<LockManager.Builder> more) {
    UnaryOperator<LockManager.Builder> settings =
        builder ->
            more.apply(
                builder
                    .commandTimeout(Duration.ofSeconds(2))
                    .storeTimeout(Duration.ofSeconds(5))
                    .closeGrace(Duration.ZERO));
    return SimClient.open(node, store, settings);
  }

  void run(long millis) {
    world.run(Duration.ofMillis(millis));
  }

  /** An operator's command on a server. */
  Object at(int server, String... words) {
    return servers.get(server).byHand(words);
  }

  long held(String lock) {
    return servers.stream().filter(server -> server.holds(lock)).count();
  }

  long sent(Operation operation) {
    return calls.stream().filter(call -> call.operation() == operation).count();
  }

  /** Compares a reply or a key's value. */
  static void is(Object actual, Object expected) {
    check(Objects.equals(actual, expected), "it is " + actual + ", and not " + expected);
  }

  static void check(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
