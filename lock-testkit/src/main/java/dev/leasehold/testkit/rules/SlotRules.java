package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
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
import java.util.stream.Stream;

/** Semaphores with distinguishable permits: slots. */
final class SlotRules extends SemaphoreSteps {

  // ---- SE-7 ----

  // Each node has granted one of two permits: by count alone, each pair of nodes could grant
  // another.
  @Rule(value = "SE-7", shows = "three holders of two permits", needs = Need.NODES)
  void pairs() throws Exception {
    MemoryNodes nodes = nodes(3);
    for (int away = 3 - 1; away > 0; away--) {
      nodes.get(away).die();
      take(semaphore(open(nodes), 2));
      nodes.get(away).up();
    }
    // The first holder has nodes 0 and 1, the second 0 and 2: nodes 1 and 2 have one permit left
    // each.
    nodes.get(0).die();
    Check.that(
        !isGranted(semaphore(open(nodes), 2)::tryAcquire),
        "two permits have two holders, wherever a third one looks");
  }

  @Rule(value = "SE-7", shows = "a node that forgot", needs = Need.NODES)
  void forgets() throws Exception {
    for (int node = 0; node < 3; node++) {
      MemoryNodes nodes = nodes(3);
      nextName();
      List<Lease> both = take(semaphore(open(nodes), 2), 2);
      nodes.get(node).forget();
      DistributedSemaphore other = semaphore(open(nodes), 2);
      Check.that(!isGranted(other::tryAcquire), "no third holder where node " + node + " forgot");
      both.get(0).release();
      take(other, 1);
      both.get(1).ensureValid();
    }
  }

  // ---- SE-8 ----

  @Rule(value = "SE-8", shows = "each slot's tokens increase", also = Guarantee.SLOTS)
  void perSlot() {
    DistributedSemaphore one = semaphore(3);
    DistributedSemaphore other = semaphore(3);
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
      Lease all = Await.value(other.tryAcquireAsync(3, SLACK)).orElseThrow();
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
  void handedOver() {
    HandOverCount count = new HandOverCount(this);
    HandOver run = new HandOver(100, Duration.ofSeconds(5));
    LockOptions options = LockOptions.builder().automaticLease(LONG).handOver(run).build();
    DistributedSemaphore semaphore = count.open().semaphore(name, 2, options);
    Map<Integer, Long> seen = new ConcurrentHashMap<>();
    Set<Integer> held = ConcurrentHashMap.newKeySet();
    crowd(
        4,
        i ->
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
            });

    Lease both = Await.value(semaphore.tryAcquireAsync(2, SLACK)).orElseThrow();
    List<CompletableFuture<Lease>> queue =
        Stream.generate(() -> semaphore.acquireAsync(1).toCompletableFuture()).limit(4).toList();
    see(seen, both);
    both.release();
    for (CompletableFuture<Lease> waiting : queue) {
      Lease next = Await.value(waiting);
      see(seen, next);
      next.release();
    }
    count.awaitAny();
  }

  // ---- SE-8 on a quorum ----

  @Rule(value = "SE-8", shows = "votes that differ", also = Guarantee.SLOTS, needs = Need.NODES)
  void differingVotes() throws Exception {
    MemoryNodes nodes = nodes(3);
    for (int i = 0; i < 4; i++) {
      LockManager alone = open(nodes);
      nodes.get(1).die();
      nodes.get(2).die();
      Check.that(!isGranted(semaphore(alone, 1)::tryAcquire), "one node is no majority");
      nodes.get(1).up();
      nodes.get(2).up();
    }
    nodes.get(2).die();
    Lease first = take(semaphore(open(nodes), 1));
    first.release();
    nodes.get(0).die();
    nodes.get(2).up();
    Lease second = take(semaphore(open(nodes), 1));
    Check.that(
        second.fencingToken() > first.fencingToken(),
        "tokens of a slot increase: " + first.fencingToken() + ", " + second.fencingToken());
  }
}
