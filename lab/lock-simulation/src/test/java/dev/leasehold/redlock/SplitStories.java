package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * The outcome of split votes: another owner has most of the nodes, or no one has. Each method
 * throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class SplitStories {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final LockOptions FIXED = LockOptions.fixed(LEASE);

  /** Eight waiters ask once per second, and a waiter that is woken in vain does not wake others. */
  private static final int CALLS_A_SECOND = 250;

  /** Takes a lock of some kind. */
  private interface Kind {
    CompletionStage<Lease> take(SimClient client, LockOwner owner);
  }

  private static final Kind LOCK =
      (client, owner) -> client.lock("a", FIXED).as(owner).acquireAsync();
  private static final Kind RENEWED = (client, owner) -> client.lock("a").as(owner).acquireAsync();
  private static final Kind WRITER =
      (client, owner) -> client.manager().readWriteLock("a").write().as(owner).acquireAsync();
  private static final Kind PERMIT =
      (client, owner) -> client.manager().semaphore("a", 1).as(owner).acquireAsync(1);

  private final Scene scene = new Scene(3);
  private final List<SimClient> clients = new ArrayList<>();
  private final List<Integer> served = new ArrayList<>();

  private SplitStories with(BiFunction<Scene, String, SimClient> open) {
    for (int i = 0; i < 4; i++) {
      clients.add(open.apply(scene, "c" + i));
    }
    return this;
  }

  private SplitStories byTurns() {
    return with(Scene::quorumClient);
  }

  private SplitStories inOrder() {
    return with(Scene::fairClient);
  }

  private Lease hold(Kind kind) {
    Lease held = scene.world.await(kind.take(clients.get(0), LockOwner.unique("holder")));
    scene.run(100);
    return held;
  }

  /** Waiters of all clients, one after another. */
  private void wait(int count, Kind kind) {
    for (int i = 0; i < count; i++) {
      int number = i;
      kind.take(clients.get(i % clients.size()), LockOwner.unique("waiter " + i))
          .thenCompose(
              lease -> {
                served.add(number);
                return lease.releaseAsync();
              });
      scene.run(20);
    }
    scene.run(100);
  }

  private void forgets(String key) {
    check(Long.valueOf(1).equals(scene.at(0, "DEL", key)), "it is no test");
  }

  /** One node has lost the holder, which has the other nodes: a waiter gets that node, in vain. */
  private void oneNodeIsFree(Kind kind, String key) {
    Lease held = hold(kind);
    wait(8, kind);
    forgets(key);
    scene.run(2000);
    scene.calls.clear();
    scene.run(3000);
    check(scene.calls.size() < 3 * CALLS_A_SECOND, scene.calls.size() + " calls in 3 s");
    held.releaseAsync();
    scene.run(1000);
    check(served.size() == 8, "served: " + served);
  }

  void waitersOfALockDoNotWakeEachOtherInVain() {
    byTurns().oneNodeIsFree(LOCK, "lh:{a}");
  }

  void fairWaitersDoNotWakeEachOtherInVain() {
    inOrder();
    oneNodeIsFree(LOCK, "lh:{a}");
    check(served.equals(List.of(0, 1, 2, 3, 4, 5, 6, 7)), "served: " + served);
  }

  void writersDoNotWakeEachOtherInVain() {
    byTurns().oneNodeIsFree(WRITER, "lh:{a}:writer");
  }

  /** A waiter does not keep the holder from a node that has lost it. */
  private void takesTheOthers(Kind kind, String key) {
    hold(kind);
    wait(8, kind);
    String token = String.valueOf(scene.at(0, "GET", key));
    forgets(key);
    // There were three renewals: during one of them a waiter may have had the node's vote for a
    // moment.
    scene.run(LEASE.toMillis() + 1000);
    check(token.equals(scene.at(0, "GET", key)), "the node is not the holder's");
  }

  void waitersForAPermitDoNotWakeEachOtherInVain() {
    byTurns().oneNodeIsFree(PERMIT, "lh:{a}:slots");
  }

  void majorityHolderTakesReservedNodes() {
    byTurns().takesTheOthers(RENEWED, "lh:{a}");
  }

  void fairMajorityHolderTakesReservedNodes() {
    inOrder().takesTheOthers(RENEWED, "lh:{a}");
  }

  void majorityWriterTakesReservedNodes() {
    byTurns().takesTheOthers(WRITER, "lh:{a}:writer");
  }

  void laterArrivalDoesNotOvertake() {
    inOrder();
    hold(LOCK);
    wait(1, LOCK);
    for (int i = 0; i < 3; i++) {
      scene.at(i, "DEL", "lh:{a}"); // like an expiry: sends no message
    }
    boolean passed =
        scene
            .world
            .await(clients.get(3).lock("a", FIXED).tryAcquireAsync(Duration.ZERO))
            .isPresent();
    check(!passed, "it passed the first");
    scene.run(100);
    check(served.equals(List.of(0)), "the first was not notified");
  }

  void quietReleaseIsFollowedByALook() {
    inOrder();
    splitByTwoOthers("other"); // loads the scripts
    check(splitByTwoOthers("a").isDone(), "it sleeps, and the lock is free");
  }

  /** Two other owners have one node each, and give up without waking a waiter. */
  private CompletableFuture<Lease> splitByTwoOthers(String name) {
    String key = "lh:{" + name + "}";
    for (int i = 1; i < 3; i++) {
      scene.at(i, "SET", key, "x:" + i, "PX", "30000");
    }
    LockOptions patient =
        LockOptions.builder()
            .fixedLease(LEASE)
            .waitStrategy(WaitStrategy.every(Duration.ofSeconds(20)))
            .build();
    CompletableFuture<Lease> waiting =
        clients.get(0).lock(name, patient).acquireAsync().toCompletableFuture();
    scene.run(1000);
    check(!waiting.isDone(), "it has what two others have: it is no test");
    scene.at(1, "DEL", key);
    scene.at(2, "DEL", key);
    scene.run(400);
    return waiting;
  }

  /** If a node's line misses a waiter or has it too far back, the other nodes compensate. */
  void wrongQueueOnOneNodeChangesNothing() {
    inOrder();
    Lease held = hold(LOCK);
    wait(4, LOCK);
    List<?> line = (List<?>) scene.at(0, "ZRANGE", "lh:{a}:wait", "0", "-1");
    scene.at(0, "ZREM", "lh:{a}:wait", String.valueOf(line.get(0)));
    held.releaseAsync();
    scene.run(1000);
    check(served.equals(List.of(0, 1, 2, 3)), "served: " + served);
  }
}
