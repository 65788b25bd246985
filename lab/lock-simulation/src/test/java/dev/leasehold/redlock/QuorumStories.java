package dev.leasehold.redlock;

import static dev.leasehold.redlock.DirectStore.KEY;
import static dev.leasehold.redlock.Scene.check;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The required behaviour of the quorum on nodes with the production scripts: kills the quorum's
 * mutants. Static methods without parameters; each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class QuorumStories {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final LockOptions FIXED = LockOptions.fixed(LEASE);

  private QuorumStories() {}

  private static boolean isGranted(CompletableFuture<AcquireResult> stage) {
    return stage.isDone()
        && !stage.isCompletedExceptionally()
        && stage.join() instanceof AcquireResult.Granted;
  }

  /** The nodes have the scripts and fences: the first round takes two delays. */
  private static Scene warm(int nodes) {
    Scene scene = new Scene(nodes);
    DirectStore other = DirectStore.of(scene);
    LeaseKey key = new LeaseKey("other", KEY.token());
    AcquireRequest request = new AcquireRequest(key, LEASE, IfHeld.REFUSE);
    check(
        scene.world.await(other.store().acquire(request)) instanceof AcquireResult.Granted,
        "not granted");
    scene.world.await(other.store().release(key));
    scene.run(100);
    return scene;
  }

  static void writtenBackTokenCountsOnceAQuorumHasIt() {
    Scene scene = warm(3);
    DirectStore asked = DirectStore.of(scene); // a new store proposes nothing, so the votes differ
    CompletableFuture<AcquireResult> stage = asked.acquire(LEASE);
    scene.run(2); // two nodes have voted; the larger vote is being written back
    scene.at(0, "DEL", "lh:{a}");
    scene.at(2, "DEL", "lh:{a}");
    scene.run(10);
    check(scene.sent(Operation.RAISE) > 0, "the votes agreed: it is no test");
    check(!isGranted(stage), "one node of three has the fence, and it counts");
  }

  static void releasedTokenDoesNotWin() {
    Scene scene = warm(3);
    DirectStore asked = DirectStore.of(scene);
    CompletableFuture<AcquireResult> stage = asked.acquire(LEASE);
    scene.run(2);
    asked.store().release(KEY);
    scene.run(100);
    check(scene.sent(Operation.RAISE) > 0, "it is no test");
    check(!isGranted(stage), "granted, and released before");
    check(scene.held("a") == 0, "still held");
  }

  static void unconfirmedTokenIsNotReacquired() {
    Scene scene = warm(3);
    DirectStore asked = DirectStore.of(scene);
    check(scene.world.await(asked.acquire(LEASE)) instanceof AcquireResult.Granted, "not granted");
    scene.run(10);
    scene.at(0, "DEL", "lh:{a}");
    scene.at(1, "DEL", "lh:{a}");
    long before = scene.sent(Operation.ACQUIRE);
    CompletableFuture<RenewResult> renewed = asked.renew(LEASE);
    scene.run(20);
    check(renewed.join() == RenewResult.NOT_OWNER, "renewed by one of three");
    check(scene.sent(Operation.ACQUIRE) == before, "taken again, and no node had confirmed it");
  }

  static void confirmedTokenIsReacquired() {
    Scene scene = warm(3);
    DirectStore asked = DirectStore.of(scene);
    check(scene.world.await(asked.acquire(LEASE)) instanceof AcquireResult.Granted, "not granted");
    scene.run(10);
    scene.at(1, "DEL", "lh:{a}");
    check(scene.world.await(asked.renew(LEASE)) == RenewResult.RENEWED, "not renewed");
    scene.run(20);
    check(scene.held("a") == 3, "not taken again");
  }

  /** A node is suspended when the request arrives, until long after the lease. */
  static void silentNodeIsReleasedUntilItAnswers() {
    Scene scene = warm(3);
    DirectStore asked = DirectStore.of(scene);
    scene.servers.get(2).node().pause(Duration.ofSeconds(60));
    check(scene.world.await(asked.acquire(LEASE)) instanceof AcquireResult.Granted, "not granted");
    // Messages sent to it meanwhile are lost, except for the request.
    scene.plan = call -> call.server().equals("n2") ? Fate.requestLost() : Fate.after(Scene.WAY);
    scene.world.await(asked.store().release(KEY));
    scene.run(58_000);
    scene.plan = call -> Fate.after(Scene.WAY);
    scene.run(10_000);
    check(scene.held("a") == 0, "it has taken the lock without a holder, and does not learn of it");
  }

  static void absentNodeIsReleasedWhileTheLeaseLasts() {
    Scene scene = warm(3);
    DirectStore asked = DirectStore.of(scene);
    check(scene.world.await(asked.acquire(LEASE)) instanceof AcquireResult.Granted, "not granted");
    scene.run(10);
    scene.plan =
        call ->
            call.server().equals("n2")
                ? Fate.cutAfter(Duration.ofDays(1), Scene.WAY)
                : Fate.after(Scene.WAY);
    scene.world.await(asked.store().release(KEY));
    scene.run(18_000);
    scene.plan = call -> Fate.after(Scene.WAY);
    scene.run(8_000);
    check(scene.held("a") == 0, "not released, and the lease goes on for 4 s");
  }

  static void nodesAllowTheLongestLeaseWithDrift() {
    QuorumPolicy careful =
        new QuorumPolicy() {
          @Override
          public boolean isQuorum(NodeSet nodes) {
            return nodes.size() > nodes.outOf() / 2;
          }

          @Override
          public Duration driftAllowance(Duration lease) {
            return lease.dividedBy(20).plusMillis(2);
          }
        };
    Scene scene = new Scene(3, careful);
    CompletableFuture<Optional<Lease>> stage =
        scene
            .quorumClient("c")
            .lock("a", LockOptions.fixed(Scene.LONGEST))
            .tryAcquireAsync(Duration.ZERO)
            .toCompletableFuture();
    scene.run(100);
    check(!stage.isCompletedExceptionally() && stage.join().isPresent(), "refused: " + stage);
  }

  static void failedRoundIsReleased() {
    Scene scene = warm(3);
    scene.plan =
        call ->
            call.operation() == Operation.ACQUIRE && !call.server().equals("n0")
                ? Fate.cutAfter(Duration.ofDays(1), Scene.WAY)
                : Fate.after(Scene.WAY);
    DirectStore asked = DirectStore.of(scene);
    CompletableFuture<AcquireResult> stage = asked.acquire(LEASE);
    scene.run(200);
    check(stage.isCompletedExceptionally(), "one of three is a quorum: " + stage);
    check(scene.held("a") == 0, "left on one node for all of its lease");
  }

  static void lateGrantIsReleased() {
    Scene scene = warm(3);
    scene.at(0, "SET", "lh:{a}", "x:another", "PX", "60000");
    scene.at(1, "SET", "lh:{a}", "x:another", "PX", "60000");
    scene.plan =
        call -> Fate.after(call.server().equals("n2") ? Duration.ofMillis(300) : Scene.WAY);
    DirectStore asked = DirectStore.of(scene);
    CompletableFuture<AcquireResult> stage = asked.acquire(LEASE);
    scene.run(3_000);
    check(stage.join() instanceof AcquireResult.Held, "granted by one of three");
    check(!scene.servers.get(2).holds("a"), "kept on the node that was late");
  }

  static void releasedTokenIsNotReused() {
    Scene scene = warm(3);
    scene.at(0, "SET", "lh:{a}", "x:another", "PX", "30");
    scene.at(1, "SET", "lh:{a}", "x:another", "PX", "30");
    // The releases of the first round are delayed.
    scene.plan =
        call ->
            call.operation() == Operation.RELEASE
                ? Fate.after(Duration.ofMillis(900))
                : Fate.after(Scene.WAY);
    DirectStore asked = DirectStore.of(scene);
    CompletableFuture<AcquireResult> first = asked.acquire(LEASE);
    scene.run(2);
    String token = (String) scene.at(2, "GET", "lh:{a}");
    scene.run(2_500);
    CompletableFuture<AcquireResult> stage =
        isGranted(first)
            ? first
            : asked
                .store()
                .acquire(new AcquireRequest(KEY, LEASE, IfHeld.REFUSE).repeated())
                .toCompletableFuture();
    scene.run(3_000);
    check(isGranted(stage), "never granted: " + stage);
    check(!token.equals(scene.at(0, "GET", "lh:{a}")), "the token that was released");
    check(scene.held("a") >= 2, "a late release took a vote away");
  }

  static void minorityDoesNotRenew() {
    Scene scene = warm(3);
    DirectStore asked = DirectStore.of(scene);
    check(scene.world.await(asked.acquire(LEASE)) instanceof AcquireResult.Granted, "not granted");
    scene.run(10);
    scene.plan = call -> call.server().equals("n0") ? Fate.after(Scene.WAY) : Fate.requestLost();
    CompletableFuture<RenewResult> renewed = asked.renew(LEASE);
    scene.run(5_000);
    check(renewed.isCompletedExceptionally(), "one of three has renewed it: " + renewed);
  }

  static void voteDurationIsNotAddedToTheLease() {
    Scene scene = warm(3);
    scene.plan = call -> Fate.after(Duration.ofMillis(40));
    AcquireResult result = scene.world.await(DirectStore.of(scene).acquire(LEASE));
    check(
        result instanceof AcquireResult.Granted granted && granted.ttl().equals(LEASE),
        "counted from when the votes were there: " + result);
  }

  static void laterRoundsLeaseEndsLater() {
    Scene scene = warm(3);
    scene.at(0, "SET", "lh:{a}", "x:another", "PX", "8");
    scene.at(1, "SET", "lh:{a}", "x:another", "PX", "8");
    DirectStore asked = DirectStore.of(scene);
    long begun = scene.world.nanos();
    CompletableFuture<AcquireResult> stage = asked.acquire(LEASE);
    scene.world.runUntil(stage::isDone, Duration.ofSeconds(5));
    long took = scene.world.nanos() - begun;
    if (isGranted(stage)) {
      Duration ttl = ((AcquireResult.Granted) stage.join()).ttl();
      check(ttl.toNanos() <= LEASE.toNanos() + took, "longer than it can be: " + ttl);
      for (int i = 0; i < 3; i++) {
        long left = scene.servers.get(i).holds("a") ? (Long) scene.at(i, "PTTL", "lh:{a}") : -1;
        long believed = ttl.minusNanos(took).toMillis();
        check(left < 0 || believed <= left + 1, "believes in " + believed + " of " + left);
      }
    }
  }

  /** Pauses the process: its timers are as late as the answers. */
  private static CompletableFuture<AcquireResult> paused(DirectStore asked, long afterMicros) {
    CompletableFuture<AcquireResult> stage = asked.acquire(Duration.ofMillis(50));
    asked.scene().world.run(Duration.ofNanos(afterMicros * 1000));
    asked.node().pause(Duration.ofMillis(100));
    asked.scene().run(2_000);
    return stage;
  }

  static void roundAsLongAsTheLeaseIsNotWon() {
    Scene scene = new Scene(3);
    DirectStore asked = DirectStore.of(scene);
    check(scene.world.await(asked.acquire(LEASE)) instanceof AcquireResult.Granted, "not granted");
    scene.world.await(asked.store().release(KEY));
    scene.run(100);
    // The fences are known now: one round is enough.
    long raised = scene.sent(Operation.RAISE);
    CompletableFuture<AcquireResult> stage = paused(asked, 1_500);
    check(scene.sent(Operation.RAISE) == raised, "the votes differed: it is no test");
    check(!isGranted(stage), "granted, and over");
  }

  static void writeBackAsLongAsTheLeaseDoesNotCount() {
    Scene scene = warm(3);
    DirectStore asked = DirectStore.of(scene);
    scene.world.await(asked.store().inspect("a")); // connects, but learns no fence
    CompletableFuture<AcquireResult> stage = paused(asked, 2_500);
    check(scene.sent(Operation.RAISE) > 0, "the votes agreed: it is no test");
    check(!isGranted(stage), "granted, and over");
  }

  static void renewalAsLongAsTheLeaseDoesNotCount() {
    Scene scene = warm(3);
    DirectStore asked = DirectStore.of(scene);
    check(scene.world.await(asked.acquire(LEASE)) instanceof AcquireResult.Granted, "not granted");
    scene.world.await(asked.renew(LEASE)); // loads the script
    CompletableFuture<RenewResult> stage = asked.renew(Duration.ofMillis(50));
    scene.run(1);
    asked.node().pause(Duration.ofMillis(100));
    scene.run(2_000);
    check(stage.isCompletedExceptionally(), "renewed, and over");
  }
}
