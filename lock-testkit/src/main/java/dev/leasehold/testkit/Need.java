package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.BackendUnderTest.Reach;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.server.ClockShim;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Capability;
import dev.leasehold.testkit.server.RespConnection;
import java.util.Optional;
import java.util.Set;

/** A resource that a test of a rule may require. */
public enum Need {
  /** Other processes that share the backend's locks. */
  PROCESSES("the backend lives within one process"),
  /** A Redis server that the backend works on. */
  REDIS("the backend is not on a Redis server"),
  /** A separate server that can be suspended and resumed. */
  PAUSE("the server can't be stopped by the kit"),
  /** A separate server that can be killed and restarted. */
  KILL("the server can't be killed and started by the kit"),
  /** A store below the manager, to call directly or to inject faults in front of. */
  STORE("the backend brings locks of its own, without a store"),
  /** A quorum like the one under test, over the kit's nodes. */
  NODES("the backend makes no quorum of the kit's nodes"),
  /** Several Redis servers with one lock on all of them. */
  SERVERS("the backend keeps a lock on one server"),
  /** A direct view of the backend's store. */
  VIEW("the kit can't look behind the backend"),
  /** A store that counts its changes. */
  CHANGES("the server does not count its changes"),
  /** A separate Redis server that is started with options. */
  OPTIONS("the server is not started by the kit, so it takes no options"),
  /** A Redis server that runs scripts. */
  SCRIPTS("the server refuses scripts"),
  /** Semaphores that can be resized, and whose leases can be released in parts. */
  PARTS("a quorum's semaphore keeps its number, and its leases stay whole"),
  /** A wall clock that can be changed, which needs Linux and a C compiler. */
  CLOCK("the kit can't turn a wall clock here");

  private static final int NODES_AT_LEAST = 3;

  private final String missing;

  Need(String missing) {
    this.missing = missing;
  }

  /** The reason to report for a rule that is not run because this is missing. */
  public String missing() {
    return missing;
  }

  boolean isMet(Site site, Set<Guarantee> promised) {
    boolean redis = site.backend().reach() == Reach.REDIS;
    boolean outside = site.backend().reach() != Reach.PROCESS;
    return switch (this) {
      case PROCESSES -> outside;
      case REDIS -> redis;
      case PAUSE -> outside && site.server().canPause();
      case KILL -> outside && site.server().canRestart();
      case OPTIONS -> redis && site.redis().capabilities().contains(Capability.OPTIONS);
      case SCRIPTS -> redis && runsScripts(site.redis());
      case STORE -> site.backend().hasStore();
      case SERVERS -> redis && site.backend().nodes() > 1;
      case NODES -> makesQuorum(site.backend());
      case VIEW -> site.findView().isPresent();
      case CHANGES -> site.findView().map(v -> v.changes().isPresent()).orElse(false);
      case PARTS -> !promised.contains(Guarantee.QUORUM);
      case CLOCK -> outside && ClockShim.whyNot().isEmpty();
    };
  }

  private static boolean runsScripts(RedisServer server) {
    try {
      return server.call("EVAL", "return 1", "0").isPresent();
    } catch (RespConnection.ServerError refused) {
      return false;
    }
  }

  private static boolean makesQuorum(BackendUnderTest backend) {
    try (MemoryNodes nodes = new MemoryNodes(NODES_AT_LEAST)) {
      Optional<LeaseStore> made = backend.quorum(nodes.clients());
      made.ifPresent(LeaseStore::close);
      return made.isPresent();
    }
  }
}
