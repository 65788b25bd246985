package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.node.MemoryNode;
import dev.leasehold.testkit.node.MemoryNodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Quorums with faulty nodes. */
final class QuorumFaultRules extends QuorumSteps {
  private static final Duration LEASE = TimeScale.millis(800);
  private static final Duration LATE = TimeScale.seconds(1);
  private static final Duration FREED = TimeScale.seconds(5);

  /**
   * Below the time-out of a node, which is 500 ms by default and therefore not scaled. One slow
   * call may be due to a busy machine, so only a call that is slow on every try fails the rule.
   */
  private static final Duration AT_ONCE = Duration.ofMillis(250);

  private static final int TRIES = 5;

  // ---- QU-3 ----

  @Rule(value = "QU-3", shows = "others have the majority", needs = Need.NODES)
  void refused() {
    for (int n : SIZES) {
      MemoryNodes nodes = nodes(n);
      nextName();
      nodes.all().stream().skip(nodes.majority()).forEach(MemoryNode::die);
      Lease lease = held(open(nodes), name, LONG, "a majority up");
      Await.until("it has all of them", () -> nodes.keeping(name) == nodes.majority());
      String holder = nodes.holder(name).orElseThrow();
      nodes.all().forEach(MemoryNode::up);
      notHeld(open(nodes), name, LONG, "another holder");
      // The holder may acquire the other nodes too, now that they are up.
      Await.until(
          "nothing is left of the attempt",
          FREED,
          () -> nodes.all().stream().allMatch(node -> isFreeOrOf(holder, node.look(name))));
      checkKept(nodes, lease, "a failed attempt of another");
      lease.release();
      awaitFree(nodes, name, "the holder gone");
    }
  }

  private static boolean isFreeOrOf(String holder, Optional<MemoryNode.Kept> kept) {
    return kept.map(MemoryNode.Kept::token).filter(token -> !token.equals(holder)).isEmpty();
  }

  @Rule(value = "QU-3", shows = "no majority is up", needs = Need.NODES)
  void tooFewUp() {
    for (int n : SIZES) {
      MemoryNodes nodes = nodes(n);
      nextName();
      nodes.all().stream().limit(nodes.majority()).forEach(MemoryNode::die);
      notHeld(open(nodes), name, LONG, "a minority up");
      awaitFree(nodes, name, "a minority up");
    }
  }

  @Rule(value = "QU-3", shows = "grants that arrive after the time-out", needs = Need.NODES)
  void lateGrants() {
    for (int n : SIZES) {
      MemoryNodes nodes = nodes(n);
      nextName();
      LockManager manager = open(nodes);
      List<MemoryNode> mute = nodes.all().subList(0, nodes.majority());
      mute.forEach(MemoryNode::mute);
      notHeld(manager, name, LONG, "a majority whose grants are not heard");
      mute.forEach(MemoryNode::up);
      awaitFree(nodes, name, "grants that come late");
    }
  }

  @Rule(value = "QU-3", shows = "grants whose answers are lost", needs = Need.NODES)
  void lostGrants() {
    MemoryNodes nodes = nodes(3);
    LockManager manager = open(nodes);
    List<MemoryNode> mute = nodes.all().subList(1, 3);
    mute.forEach(MemoryNode::mute);
    notHeld(manager, name, LONG, "a majority whose grants are lost");
    Await.until(
        "nothing is left where it was heard", FREED, () -> nodes.get(0).look(name).isEmpty());
    mute.forEach(MemoryNode::loseAnswers);
    mute.forEach(MemoryNode::up);
    awaitFree(nodes, name, "grants that were lost");
  }

  @Rule(value = "QU-3", shows = "nodes that hang and recover", needs = Need.NODES)
  void silentNodes() {
    for (int n : SIZES) {
      MemoryNodes nodes = nodes(n);
      nextName();
      LockManager manager = open(nodes);
      List<MemoryNode> hung = nodes.all().subList(0, nodes.majority());
      hung.forEach(MemoryNode::hang);
      notHeld(manager, name, LONG, "a majority that is silent");
      // The requests sent to them long ago are granted now.
      hung.forEach(MemoryNode::up);
      awaitFree(nodes, name, "nodes that answer again");
    }
  }

  @Rule(value = "QU-3", shows = "dead nodes that restart with a grant", needs = Need.NODES)
  void deadWithGrant() {
    MemoryNodes nodes = nodes(3);
    LockManager manager = open(nodes);
    List<MemoryNode> dying = nodes.all().subList(0, 2);
    dying.forEach(MemoryNode::mute);
    notHeld(manager, name, LONG, "a majority whose grants are not heard");
    dying.forEach(MemoryNode::die);
    dying.forEach(MemoryNode::loseAnswers);
    Await.until(
        "nothing is left where it was heard", FREED, () -> nodes.get(2).look(name).isEmpty());
    dying.forEach(MemoryNode::up);
    awaitFree(nodes, name, "nodes that are back");
  }

  // ---- QU-4 ----

  @Rule(value = "QU-4", shows = "a majority's answer is enough", needs = Need.NODES, timed = true)
  void hungNode() {
    for (int n : SIZES) {
      MemoryNodes nodes = nodes(n);
      for (MemoryNode hung : nodes.all()) {
        Optional<String> slow = tookLong(nodes, hung);
        for (int i = 1; slow.isPresent() && i < TRIES; i++) {
          slow = tookLong(nodes, hung);
        }
        Check.equal(Optional.empty(), slow, "what takes long each time with " + hung + " hung");
      }
    }
  }

  /**
   * The first call that takes as long as a node's time-out while one node hangs. Uses new clients:
   * one that has seen the node hang would no longer wait for it.
   */
  private Optional<String> tookLong(MemoryNodes nodes, MemoryNode hung) {
    LockManager manager = open(nodes);
    LockManager other = open(nodes);
    nextName();
    String situation = hung + " of " + nodes.all().size() + " hung";
    hung.hang();
    long begun = System.nanoTime();
    Lease lease = held(manager, name, LONG, situation);
    Optional<String> slow =
        ifLong("an acquisition", begun)
            .or(
                () ->
                    ifLong(
                        "a refusal",
                        () ->
                            Check.that(attempt(other, name, LONG).isEmpty(), "another is refused")))
            .or(
                () ->
                    ifLong(
                        "a renewal",
                        () ->
                            Check.that(
                                lease.extend(LONG.plusSeconds(1)), "the lease can be extended")))
            .or(() -> ifLong("a release", lease::release));
    hung.up();
    lease.release();
    awaitFree(nodes, name, situation);
    return slow;
  }

  private static Optional<String> ifLong(String what, Runnable call) {
    long begun = System.nanoTime();
    call.run();
    return ifLong(what, begun);
  }

  private static Optional<String> ifLong(String what, long begun) {
    Duration took = since(begun);
    Check.atMost(LATE, took, what + " with a hung node");
    return took.compareTo(AT_ONCE) < 0
        ? Optional.empty()
        : Optional.of(what + " took " + took.toMillis() + " ms");
  }

  @Rule(
      value = "QU-4",
      shows = "no majority without the hung node",
      needs = Need.NODES,
      timed = true)
  void hungAndDead() {
    MemoryNodes nodes = nodes(3);
    for (MemoryNode hung : nodes.all()) {
      MemoryNode dead = nodes.get((hung.number() + 1) % 3);
      nextName();
      LockManager manager = open(nodes);
      hung.hang();
      dead.die();
      Duration took = took(() -> notHeld(manager, name, LONG, "a node hung and one dead"));
      Check.atMost(LATE, took, "a failure with " + hung + " hung");
      hung.up();
      dead.up();
      awaitFree(nodes, name, "all nodes up again");
    }
  }

  // ---- QU-5 ----

  @Rule(
      value = "QU-5",
      shows = "with a majority, and lost without",
      needs = Need.NODES,
      timed = true)
  void renewal() throws Exception {
    for (int n : SIZES) {
      MemoryNodes nodes = nodes(n);
      nextName();
      Lease lease = automatic(open(nodes), name, LEASE).acquire();
      Await.until("all nodes have it", () -> nodes.keeping(name) == n);
      nodes.all().stream().skip(nodes.majority()).forEach(MemoryNode::die);
      long begun = System.nanoTime();
      while (since(begun).compareTo(LEASE.multipliedBy(3)) < 0) {
        Check.that(lease.isValid(), "a majority's renewals keep the lease");
        checkKept(nodes, lease, "a majority up");
        Await.pass(Duration.ofMillis(5));
      }
      nodes.get(0).die();
      lostInTime(nodes, lease, "a minority up");
    }
  }

  @Rule(value = "QU-5", shows = "a majority is silent", needs = Need.NODES, timed = true)
  void renewalUnanswered() throws Exception {
    MemoryNodes nodes = nodes(3);
    Lease lease = automatic(open(nodes), name, LEASE).acquire();
    nodes.get(0).mute();
    nodes.get(1).hang();
    lostInTime(nodes, lease, "a majority silent");
    nodes.all().forEach(MemoryNode::up);
    awaitFree(nodes, name, "the lease lost and all nodes up");
  }

  @Rule(value = "QU-5", shows = "a majority has lost the lock", needs = Need.NODES, timed = true)
  void renewalWithoutKeys() throws Exception {
    MemoryNodes nodes = nodes(3);
    Lease lease = automatic(open(nodes), name, LEASE).acquire();
    Await.until("all nodes have it", () -> nodes.keeping(name) == 3);
    long[] asked = nodes.all().stream().mapToLong(node -> asks(node, name)).toArray();
    nodes.get(0).forget();
    nodes.get(1).forget();
    Await.until("the loss is signalled", LEASE.plus(LATE), () -> isLost(lease));
    Check.that(!lease.isValid(), "a lost lease is not valid");
    // Acquiring it again would be another hold: a different owner may have held it meanwhile.
    Check.equal(asked[0], asks(nodes.get(0), name), "how often a node that forgot was asked");
    Check.equal(asked[1], asks(nodes.get(1), name), "how often a node that forgot was asked");
  }

  /** Checks that a lease that cannot be renewed ends within the last promise of a majority. */
  private static void lostInTime(MemoryNodes nodes, Lease lease, String situation) {
    long begun = System.nanoTime();
    while (lease.isValid()) {
      checkKept(nodes, lease, situation);
      Check.atMost(LEASE.plus(LATE), since(begun), "with " + situation + " a lease's time");
      Await.pass(Duration.ofMillis(5));
    }
    Await.until("with " + situation + " the loss is signalled", LATE, () -> isLost(lease));
  }

  private static boolean isLost(Lease lease) {
    return lease.lost().toCompletableFuture().isDone();
  }
}
