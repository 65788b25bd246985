package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.node.MemoryNode;
import dev.leasehold.testkit.node.MemoryNodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Helpers shared by the quorum rules. */
final class QuorumTries {
  private static final int ATTEMPTS = 3;

  private QuorumTries() {}

  static MemoryNodes nodes(Bench bench, int count) {
    return bench.closing(new MemoryNodes(count));
  }

  static LockManager open(Bench bench, MemoryNodes nodes) {
    return bench.site().quorum(nodes.clients());
  }

  /** A single attempt. A quorum may refuse by an exception, when the outcome is unknown. */
  static Optional<Lease> attempt(Bench bench, LockManager manager, String name, Duration lease) {
    try {
      return bench.fixed(manager, name, lease).tryAcquire();
    } catch (LockException noQuorum) {
      return Optional.empty();
    }
  }

  /**
   * Acquires a lock that no other owner has. An attempt whose outcome is unknown is repeated, since
   * a quorum waits for its nodes for a small part of the lease, and a machine may be slow. A
   * refusal is not.
   */
  static Lease held(
      Bench bench, LockManager manager, String name, Duration lease, String situation) {
    String claim = "with " + situation + " the lock is held";
    LockException unknown = null;
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        Optional<Lease> held = bench.fixed(manager, name, lease).tryAcquire();
        Check.that(held.isPresent(), claim);
        return held.orElseThrow();
      } catch (LockException noQuorum) {
        unknown = noQuorum;
      }
    }
    throw new AssertionError("it is not so that " + claim, unknown);
  }

  static void notHeld(
      Bench bench, LockManager manager, String name, Duration lease, String situation) {
    Optional<Lease> held = attempt(bench, manager, name, lease);
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
        () -> nodes.keeping(name) == 0 && all(nodes, node -> node.waiting() == 0));
  }

  private static boolean all(MemoryNodes nodes, Predicate<MemoryNode> test) {
    return nodes.all().stream().allMatch(test);
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
