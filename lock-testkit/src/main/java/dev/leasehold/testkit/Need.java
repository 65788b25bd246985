package dev.leasehold.testkit;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.BackendUnderTest.Reach;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.server.ClockShim;
import dev.leasehold.testkit.server.RedisServer.Capability;
import java.util.Optional;

/** What a test of a rule may not be able to do without. */
public enum Need {
  /** Other processes that share the backend's locks. */
  PROCESSES("the backend lives within one process"),
  /** A Redis server that the backend works on. */
  REDIS("the backend is not on a Redis server"),
  /** A Redis server of its own that can be stopped and go on. */
  PAUSE("the server can't be stopped by the kit"),
  /** A Redis server of its own that can be killed and started again. */
  KILL("the server can't be killed and started by the kit"),
  /** A store below the manager, to call by itself or to put faults in front of. */
  STORE("the backend brings locks of its own, without a store"),
  /** A quorum like the one under test, over the kit's nodes. */
  NODES("the backend makes no quorum of the kit's nodes"),
  /** Several Redis servers with one lock on all of them. */
  SERVERS("the backend keeps a lock on one server"),
  /** A look behind the backend. */
  VIEW("the kit can't look behind the backend"),
  /** A store that counts its changes. */
  CHANGES("the server does not count its changes"),
  /** A Redis server of its own that is started with options. */
  OPTIONS("the server is not started by the kit, so it takes no options"),
  /** A wall clock that can be turned: Linux and a C compiler. */
  CLOCK("the kit can't turn a wall clock here");

  private static final int NODES_AT_LEAST = 3;

  private final String missing;

  Need(String missing) {
    this.missing = missing;
  }

  /** Why a rule is not run without it. */
  public String missing() {
    return missing;
  }

  boolean isMet(Site site) {
    boolean redis = site.backend().reach() == Reach.REDIS;
    return switch (this) {
      case PROCESSES, REDIS -> redis;
      case PAUSE -> redis && can(site, Capability.PAUSE);
      case KILL -> redis && can(site, Capability.KILL) && can(site, Capability.RESTART);
      case OPTIONS -> redis && can(site, Capability.OPTIONS);
      case STORE -> site.backend().hasStore();
      case SERVERS -> redis && site.backend().nodes() > 1;
      case NODES -> makesQuorum(site.backend());
      case VIEW -> site.findView().isPresent();
      case CHANGES -> site.findView().map(v -> v.changes().isPresent()).orElse(false);
      case CLOCK -> redis && ClockShim.whyNot().isEmpty();
    };
  }

  private static boolean makesQuorum(BackendUnderTest backend) {
    try (MemoryNodes nodes = new MemoryNodes(NODES_AT_LEAST)) {
      Optional<LeaseStore> made = backend.quorum(nodes.clients());
      made.ifPresent(LeaseStore::close);
      return made.isPresent();
    }
  }

  private static boolean can(Site site, Capability capability) {
    return site.server().capabilities().contains(capability);
  }
}
