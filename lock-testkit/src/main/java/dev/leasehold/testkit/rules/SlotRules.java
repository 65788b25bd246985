package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.QuorumTries.nodes;
import static dev.leasehold.testkit.rules.QuorumTries.open;
import static dev.leasehold.testkit.rules.SemaphoreSteps.take;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.node.MemoryNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Semaphores with distinguishable permits: slots. */
final class SlotRules {
  private static final int NODES = 3;

  /** A single attempt. A quorum may refuse by an exception, when the outcome is unknown. */
  private static boolean isGranted(DistributedSemaphore semaphore) {
    try {
      return semaphore.tryAcquire().filter(Lease::isValid).isPresent();
    } catch (LockException noQuorum) {
      return false;
    }
  }

  // ---- SE-7 ----

  // Each node has granted one of two permits: by count alone, each pair of nodes could grant
  // another.
  @Rule(value = "SE-7", shows = "three holders of two permits", needs = Need.NODES)
  void pairs(Bench bench) {
    MemoryNodes nodes = nodes(bench, NODES);
    String name = bench.name();
    for (int away = NODES - 1; away > 0; away--) {
      nodes.get(away).die();
      take(SemaphoreSteps.of(open(bench, nodes), name, 2), 1);
      nodes.get(away).up();
    }
    // The first holder has nodes 0 and 1, the second 0 and 2: nodes 1 and 2 have one permit left
    // each.
    nodes.get(0).die();
    Check.that(
        !isGranted(SemaphoreSteps.of(open(bench, nodes), name, 2)),
        "two permits have two holders, wherever a third one looks");
  }

  @Rule(value = "SE-7", shows = "a node that forgot", needs = Need.NODES)
  void forgets(Bench bench) {
    for (int node = 0; node < NODES; node++) {
      MemoryNodes nodes = nodes(bench, NODES);
      String name = bench.name();
      List<Lease> both = take(SemaphoreSteps.of(open(bench, nodes), name, 2), 2);
      nodes.get(node).forget();
      DistributedSemaphore other = SemaphoreSteps.of(open(bench, nodes), name, 2);
      Check.that(!isGranted(other), "no third holder where node " + node + " forgot");
      both.get(0).release();
      take(other, 1);
      both.get(1).ensureValid();
    }
  }

  // ---- SE-8 ----

  @Rule(value = "SE-8", shows = "each slot's tokens increase", also = Guarantee.SLOTS)
  void perSlot(Bench bench) {
    String name = bench.name();
    DistributedSemaphore one = SemaphoreSteps.of(bench.site().open(), name, 3);
    DistributedSemaphore other = SemaphoreSteps.of(bench.site().open(), name, 3);
    Map<Integer, Long> seen = new ConcurrentHashMap<>();
    for (int round = 0; round < 3; round++) {
      List<Lease> leases = new ArrayList<>(take(one, 1));
      leases.addAll(take(other, 2));
      Set<Integer> slots = new HashSet<>();
      for (Lease lease : leases) {
        Check.equal(1, lease.slots().size(), "slots of one permit");
        slots.addAll(lease.slots());
        see(seen, lease);
      }
      Check.equal(Set.of(0, 1, 2), slots, "the slots of all three permits");
      leases.forEach(Lease::release);
      Lease all = Await.value(other.tryAcquireAsync(3, SemaphoreSteps.SLACK)).orElseThrow();
      Check.equal(List.of(0, 1, 2), all.slots(), "the slots of three at once");
      see(seen, all);
      all.release();
    }
  }

  private static void see(Map<Integer, Long> seen, Lease lease) {
    for (int slot : lease.slots()) {
      long before = seen.getOrDefault(slot, -1L);
      Check.that(
          lease.fencingToken() > before,
          "tokens of slot " + slot + " increase: " + before + ", " + lease.fencingToken());
      seen.put(slot, lease.fencingToken());
    }
  }

  @Rule(value = "SE-8", shows = "permits handed over here", also = Guarantee.SLOTS)
  void handedOver(Bench bench) throws Exception {
    HandOverCount count = new HandOverCount();
    LockManager manager = count.open(bench);
    DistributedSemaphore semaphore =
        manager.semaphore(
            bench.name(),
            2,
            LockOptions.builder()
                .automaticLease(SemaphoreSteps.LONG)
                .handOver(new HandOver(100, Duration.ofSeconds(5)))
                .build());
    Map<Integer, Long> seen = new ConcurrentHashMap<>();
    Set<Integer> held = ConcurrentHashMap.newKeySet();
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(
          bench.onThread(
              () -> {
                for (int round = 0; round < 4; round++) {
                  try (Lease lease = semaphore.acquire()) {
                    Check.that(held.addAll(lease.slots()), "each slot has one holder");
                    see(seen, lease);
                    Await.pass(Duration.ofMillis(1));
                    held.removeAll(lease.slots());
                  }
                }
                return true;
              }));
    }
    all.forEach(Await::value);

    Lease both = Await.value(semaphore.tryAcquireAsync(2, SemaphoreSteps.SLACK)).orElseThrow();
    List<CompletableFuture<Lease>> queue = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      queue.add(semaphore.acquireAsync(1).toCompletableFuture());
    }
    see(seen, both);
    both.release();
    for (CompletableFuture<Lease> waiting : queue) {
      Lease next = Await.value(waiting);
      see(seen, next);
      next.release();
    }
    count.awaitAny(bench);
  }

  // ---- SE-8 on a quorum ----

  @Rule(value = "SE-8", shows = "votes that differ", also = Guarantee.SLOTS, needs = Need.NODES)
  void differingVotes(Bench bench) {
    MemoryNodes nodes = nodes(bench, NODES);
    String name = bench.name();
    for (int i = 0; i < 4; i++) {
      LockManager alone = open(bench, nodes);
      nodes.get(1).die();
      nodes.get(2).die();
      Check.that(!isGranted(SemaphoreSteps.of(alone, name, 1)), "one node is no majority");
      nodes.get(1).up();
      nodes.get(2).up();
    }
    nodes.get(2).die();
    Lease first = take(SemaphoreSteps.of(open(bench, nodes), name, 1), 1).get(0);
    first.release();
    nodes.get(0).die();
    nodes.get(2).up();
    Lease second = take(SemaphoreSteps.of(open(bench, nodes), name, 1), 1).get(0);
    Check.that(
        second.fencingToken() > first.fencingToken(),
        "tokens of a slot increase: " + first.fencingToken() + ", " + second.fencingToken());
  }
}
