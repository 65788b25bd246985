package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.node.MemoryNode;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The words of rules about quorums. */
abstract class QuorumSteps extends Steps {
  static final int[] SIZES = {3, 5};

  private static final int ATTEMPTS = 3;

  /** A single attempt. A quorum may refuse by an exception, when the outcome is unknown. */
  final Optional<Lease> attempt(LockManager manager, String lockName, Duration lease) {
    try {
      return fixed(manager, lockName, lease).tryAcquire();
    } catch (LockException noQuorum) {
      return Optional.empty();
    }
  }

  /**
   * Acquires a lock that no other owner has. An attempt whose outcome is unknown is repeated, since
   * a quorum waits for its nodes for a small part of the lease, and a machine may be slow. A
   * refusal is not.
   */
  final Lease held(LockManager manager, String lockName, Duration lease, String situation) {
    String claim = "with " + situation + " the lock is held";
    LockException unknown = null;
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        Optional<Lease> held = fixed(manager, lockName, lease).tryAcquire();
        Check.that(held.isPresent(), claim);
        return held.orElseThrow();
      } catch (LockException noQuorum) {
        unknown = noQuorum;
      }
    }
    throw new AssertionError("it is not so that " + claim, unknown);
  }

  final void notHeld(LockManager manager, String lockName, Duration lease, String situation) {
    Optional<Lease> held = attempt(manager, lockName, lease);
    // A lease that had expired when it was returned does no harm.
    Check.that(
        held.filter(Lease::isValid).isEmpty(), "with " + situation + " the lock is not held");
  }

  /** How often a node was asked to grant a lock. */
  static long asks(MemoryNode node, String name) {
    return node.done().stream()
        .filter(call -> call.op() == Op.ACQUIRE && call.name().equals(name))
        .count();
  }

  /** Waits until the lock is gone from all nodes and no call is in flight. */
  static void awaitFree(MemoryNodes nodes, String name, String situation) {
    Await.until(
        "with " + situation + " no node keeps the lock",
        TimeScale.seconds(5),
        () ->
            nodes.keeping(name) == 0 && nodes.all().stream().allMatch(node -> node.waiting() == 0));
  }

  /** The site of a client that reaches a bare majority of a quorum's servers. */
  final Site bareMajority(Site site) {
    List<RedisServer> servers = servers(site);
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      RedisServer server = servers.get(i);
      if (i > servers.size() / 2) {
        RespProxy cut = RespProxy.inFrontOf(server);
        addresses.add(cut.uri());
        cut.close();
      } else {
        addresses.add(server.uri());
      }
    }
    return site.by(String.join(",", addresses));
  }

  /** Fails if a lease claims to be valid for longer than a majority keeps the lock for it. */
  static void checkKept(MemoryNodes nodes, Lease lease, String situation) {
    long before = System.nanoTime();
    Duration claimed = lease.remaining();
    if (claimed.isZero()) {
      return;
    }
    Optional<Long> until = nodes.keptUntil(lease.lockName());
    if (until.isEmpty() && !lease.isValid()) {
      return; // expired meanwhile
    }
    Check.safe(until.isPresent(), "with " + situation + " a majority has the lock");
    Duration kept = Duration.ofNanos(until.orElseThrow() - before);
    Check.safe(
        claimed.compareTo(kept) <= 0,
        "with " + situation + " a lease that claims " + claimed + " is kept so long, not " + kept);
  }

  /** The nodes selected by a bit pattern: bit i is node i. */
  static List<MemoryNode> chosen(MemoryNodes nodes, int pattern) {
    return nodes.all().stream().filter(node -> (pattern >> node.number() & 1) != 0).toList();
  }
}
