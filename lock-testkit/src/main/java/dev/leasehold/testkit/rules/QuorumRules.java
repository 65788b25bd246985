package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.node.MemoryNode;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.node.NodeCall;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** When a quorum grants the lock, and when it does not. */
final class QuorumRules extends QuorumSteps {
  private static final Duration LEASE = TimeScale.seconds(2);

  /** 1 % of it is more than a request takes to a node on a busy machine. */
  private static final Duration DRIFTING = TimeScale.seconds(20);

  private static final Duration BRIEF = TimeScale.millis(20);

  /** A clock within the usual bounds: 1 % fast. */
  private static final double FAST = 1.0099;

  // ---- QU-1 ----

  @Rule(value = "QU-1", shows = "half of the nodes are no majority", needs = Need.NODES)
  void halfIsNotEnough() {
    for (int n = 3; n <= 6; n++) {
      MemoryNodes nodes = nodes(n);
      LockManager manager = open(nodes);
      nodes.all().stream().skip(n / 2).forEach(MemoryNode::die);
      notHeld(manager, freshName(), LONG, n / 2 + " of " + n + " nodes up");
    }
  }

  @Rule(value = "QU-1", shows = "nodes that forgot are no majority", needs = Need.NODES)
  void aMinorityForgets() {
    List<Consumer<MemoryNode>> ways =
        List.of(MemoryNode::forget, node -> node.jumpAhead(LONG.multipliedBy(2)));
    for (int n : SIZES) {
      for (Consumer<MemoryNode> way : ways) {
        MemoryNodes nodes = nodes(n);
        nextName();
        Lease lease = held(open(nodes), name, LONG, "all nodes up");
        Await.until("all nodes have it", () -> nodes.keeping(name) == n);
        nodes.all().stream().limit(n / 2).forEach(way);
        String situation = n / 2 + " of " + n + " nodes that forgot";
        notHeld(open(nodes), name, LONG, situation);
        Check.that(lease.isValid(), "the holder's lease is valid");
        checkKept(nodes, lease, situation);
        lease.release();
      }
    }
  }

  @Rule(value = "QU-1", shows = "answers take time", needs = Need.NODES)
  void elapsedTime() {
    for (int n : SIZES) {
      MemoryNodes nodes = nodes(n);
      LockManager manager = open(nodes);
      keeps(nodes, manager, LEASE, "nodes that answer at once");
      for (int part : new int[] {40, 10, 3}) {
        Duration late = LEASE.dividedBy(part);
        nodes.all().forEach(node -> node.answerLate(late));
        String situation = "answers after " + late;
        // The attempt may give up before an answer that late.
        attempt(manager, freshName(), LEASE).ifPresent(lease -> checkKept(nodes, lease, situation));
      }
    }
  }

  @Rule(value = "QU-1", shows = "clocks of nodes are fast", needs = Need.NODES)
  void drift() {
    for (int n : SIZES) {
      MemoryNodes nodes = nodes(n);
      nodes.all().forEach(node -> node.clockRate(FAST));
      LockManager manager = open(nodes);
      for (int i = 0; i < 5; i++) {
        // A fixed lease counts from the request; an automatic one from the grant.
        Lease lease = automatic(manager, freshName(), DRIFTING).tryAcquire().orElseThrow();
        checkKept(nodes, lease, "clocks that are fast by a hundredth");
        lease.release();
        keeps(nodes, manager, DRIFTING, "clocks that are fast by a hundredth");
      }
    }
  }

  private void keeps(MemoryNodes nodes, LockManager manager, Duration length, String situation) {
    Lease lease = held(manager, freshName(), length, situation);
    checkKept(nodes, lease, situation);
    lease.release();
  }

  @Rule(value = "QU-1", shows = "nothing is left of the lease", needs = Need.NODES)
  void nothingLeft() {
    for (int n : SIZES) {
      MemoryNodes nodes = nodes(n);
      LockManager manager = open(nodes);
      for (int times : new int[] {1, 3}) {
        nextName();
        Duration late = BRIEF.multipliedBy(times);
        nodes.all().forEach(node -> node.answerLate(late));
        notHeld(manager, name, BRIEF, "answers after " + late + ", a lease of " + BRIEF);
        Await.until(
            "every token is released where it was asked for",
            () -> nodes.all().stream().allMatch(node -> isReleased(node, name)));
      }
    }
  }

  private static boolean isReleased(MemoryNode node, String lockName) {
    Set<String> asked = new HashSet<>();
    for (NodeCall call : node.done()) {
      if (call.name().equals(lockName) && call.op() == Op.ACQUIRE) {
        asked.add(call.token());
      } else if (call.name().equals(lockName) && call.op() == Op.RELEASE) {
        asked.remove(call.token());
      }
    }
    return asked.isEmpty();
  }

  // ---- QU-2 ----

  @Rule(value = "QU-2", shows = "dead nodes, of 3 and of 5", needs = Need.NODES)
  void deadNodes() {
    for (int n : SIZES) {
      IntStream.range(0, 1 << n).forEach(down -> pattern(n, down, MemoryNode::die, LONG));
    }
  }

  @Rule(value = "QU-2", shows = "hung nodes, of 3 and of 5", needs = Need.NODES)
  void hungNodes() {
    for (int n : SIZES) {
      IntStream.range(0, 1 << n).forEach(down -> pattern(n, down, MemoryNode::hang, LEASE));
    }
  }

  private void pattern(int n, int down, Consumer<MemoryNode> breaks, Duration length) {
    try (MemoryNodes nodes = new MemoryNodes(n);
        LockManager manager = open(nodes)) {
      nextName();
      chosen(nodes, down).forEach(breaks);
      List<MemoryNode> up = chosen(nodes, ~down);
      String situation = up + " of " + n + " up";
      Optional<Lease> lease = attempt(manager, name, length);
      Check.equal(up.size() > n / 2, lease.isPresent(), "with " + situation + ", held");
      if (lease.isPresent()) {
        Await.until(
            "all nodes that are up know the holder",
            () -> up.stream().allMatch(node -> knows(nodes, node, name)));
        checkKept(nodes, lease.get(), situation);
        lease.get().release();
      } else {
        Await.until(
            "with " + situation + " nothing is left where it was refused",
            () -> up.stream().allMatch(node -> node.look(name).isEmpty()));
      }
      nodes.all().forEach(MemoryNode::up);
      awaitFree(nodes, name, situation);
    }
  }

  private static boolean knows(MemoryNodes nodes, MemoryNode node, String lockName) {
    return nodes.holder(lockName).isPresent()
        && node.look(lockName).map(MemoryNode.Kept::token).equals(nodes.holder(lockName));
  }
}
