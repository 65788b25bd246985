package dev.leasehold.redlock;

import static dev.leasehold.redlock.DirectStore.KEY;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
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
 * mutants. Each method throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class QuorumStories extends Scene {
  private static final Duration LEASE = Duration.ofSeconds(30);

  /** A store of a client that has asked for nothing yet. */
  private final DirectStore asked;

  private static boolean isGranted(CompletableFuture<AcquireResult> stage) {
    return stage.isDone() && !stage.isCompletedExceptionally() && stage.join() instanceof Granted;
  }

  /** The nodes have the scripts and fences: the first round takes two delays. */
  QuorumStories() {
    super(3);
    DirectStore other = DirectStore.of(this);
    LeaseKey key = new LeaseKey("other", KEY.token());
    AcquireRequest request = new AcquireRequest(key, LEASE, IfHeld.REFUSE);
    check(world.await(other.store().acquire(request)) instanceof Granted, "not granted");
    world.await(other.store().release(key));
    run(100);
    asked = DirectStore.of(this); // a new store proposes nothing, so the votes differ
  }

  private void takes() {
    check(world.await(asked.acquire(LEASE)) instanceof Granted, "not granted");
  }

  void writtenBackTokenCountsOnceAQuorumHasIt() {
    CompletableFuture<AcquireResult> stage = asked.acquire(LEASE);
    run(2); // two nodes have voted; the larger vote is being written back
    at(0, "DEL", "lh:{a}");
    at(2, "DEL", "lh:{a}");
    run(10);
    check(sent(Operation.RAISE) > 0, "the votes agreed: it is no test");
    check(!isGranted(stage), "one node of three has the fence, and it counts");
  }

  void releasedTokenDoesNotWin() {
    CompletableFuture<AcquireResult> stage = asked.acquire(LEASE);
    run(2);
    asked.store().release(KEY);
    run(100);
    check(sent(Operation.RAISE) > 0, "it is no test");
    check(!isGranted(stage), "granted, and released before");
    check(held("a") == 0, "still held");
  }

  void unconfirmedTokenIsNotReacquired() {
    takes();
    run(10);
    at(0, "DEL", "lh:{a}");
    at(1, "DEL", "lh:{a}");
    long before = sent(Operation.ACQUIRE);
    CompletableFuture<RenewResult> renewed = asked.renew(LEASE);
    run(20);
    check(renewed.join() == RenewResult.NOT_OWNER, "renewed by one of three");
    check(sent(Operation.ACQUIRE) == before, "taken again, and no node had confirmed it");
  }

  void confirmedTokenIsReacquired() {
    takes();
    run(10);
    at(1, "DEL", "lh:{a}");
    check(world.await(asked.renew(LEASE)) == RenewResult.RENEWED, "not renewed");
    run(20);
    check(held("a") == 3, "not taken again");
  }

  /** A node is suspended when the request arrives, until long after the lease. */
  void silentNodeIsReleasedUntilItAnswers() {
    servers.get(2).node().pause(Duration.ofSeconds(60));
    takes();
    // Messages sent to it meanwhile are lost, except for the request.
    plan = call -> call.server().equals("n2") ? Fate.requestLost() : Fate.after(WAY);
    world.await(asked.store().release(KEY));
    run(58_000);
    plan = call -> Fate.after(WAY);
    run(10_000);
    check(held("a") == 0, "it has taken the lock without a holder, and does not learn of it");
  }

  void absentNodeIsReleasedWhileTheLeaseLasts() {
    takes();
    run(10);
    plan =
        call ->
            call.server().equals("n2") ? Fate.cutAfter(Duration.ofDays(1), WAY) : Fate.after(WAY);
    world.await(asked.store().release(KEY));
    run(18_000);
    plan = call -> Fate.after(WAY);
    run(8_000);
    check(held("a") == 0, "not released, and the lease goes on for 4 s");
  }

  void nodesAllowTheLongestLeaseWithDrift() {
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
            .lock("a", LockOptions.fixed(LONGEST))
            .tryAcquireAsync(Duration.ZERO)
            .toCompletableFuture();
    scene.run(100);
    check(!stage.isCompletedExceptionally() && stage.join().isPresent(), "refused: " + stage);
  }

  void failedRoundIsReleased() {
    plan =
        call ->
            call.operation() == Operation.ACQUIRE && !call.server().equals("n0")
                ? Fate.cutAfter(Duration.ofDays(1), WAY)
                : Fate.after(WAY);
    CompletableFuture<AcquireResult> stage = asked.acquire(LEASE);
    run(200);
    check(stage.isCompletedExceptionally(), "one of three is a quorum: " + stage);
    check(held("a") == 0, "left on one node for all of its lease");
  }

  void lateGrantIsReleased() {
    at(0, "SET", "lh:{a}", "x:another", "PX", "60000");
    at(1, "SET", "lh:{a}", "x:another", "PX", "60000");
    plan = call -> Fate.after(call.server().equals("n2") ? Duration.ofMillis(300) : WAY);
    CompletableFuture<AcquireResult> stage = asked.acquire(LEASE);
    run(3_000);
    check(stage.join() instanceof AcquireResult.Held, "granted by one of three");
    check(!servers.get(2).holds("a"), "kept on the node that was late");
  }

  void releasedTokenIsNotReused() {
    at(0, "SET", "lh:{a}", "x:another", "PX", "30");
    at(1, "SET", "lh:{a}", "x:another", "PX", "30");
    // The releases of the first round are delayed.
    plan =
        call ->
            call.operation() == Operation.RELEASE
                ? Fate.after(Duration.ofMillis(900))
                : Fate.after(WAY);
    CompletableFuture<AcquireResult> first = asked.acquire(LEASE);
    run(2);
    String token = (String) at(2, "GET", "lh:{a}");
    run(2_500);
    CompletableFuture<AcquireResult> stage =
        isGranted(first)
            ? first
            : asked
                .store()
                .acquire(new AcquireRequest(KEY, LEASE, IfHeld.REFUSE).repeated())
                .toCompletableFuture();
    run(3_000);
    check(isGranted(stage), "never granted: " + stage);
    check(!token.equals(at(0, "GET", "lh:{a}")), "the token that was released");
    check(held("a") >= 2, "a late release took a vote away");
  }

  void minorityDoesNotRenew() {
    takes();
    run(10);
    plan = call -> call.server().equals("n0") ? Fate.after(WAY) : Fate.requestLost();
    CompletableFuture<RenewResult> renewed = asked.renew(LEASE);
    run(5_000);
    check(renewed.isCompletedExceptionally(), "one of three has renewed it: " + renewed);
  }

  void voteDurationIsNotAddedToTheLease() {
    plan = call -> Fate.after(Duration.ofMillis(40));
    AcquireResult result = world.await(asked.acquire(LEASE));
    check(
        result instanceof Granted granted && granted.ttl().equals(LEASE),
        "counted from when the votes were there: " + result);
  }

  /** A split vote, and votes for it in the second round, which take two ways of two delays. */
  void laterRoundsLeaseEndsLater() {
    at(0, "SET", "lh:{a}", "x:another", "PX", "8000");
    at(1, "SET", "lh:{a}", "x:another", "PX", "8000");
    plan = call -> Fate.after(call.server().equals("n2") ? WAY : WAY.multipliedBy(2));
    long begun = world.nanos();
    CompletableFuture<AcquireResult> stage = asked.acquire(LEASE);
    run(3);
    at(0, "DEL", "lh:{a}");
    at(1, "DEL", "lh:{a}");
    world.runUntil(stage::isDone, Duration.ofSeconds(5));
    check(isGranted(stage), "not granted in a later round");
    Duration longer = ((Granted) stage.join()).ttl().minus(LEASE);
    check(longer.compareTo(WAY.multipliedBy(4)) >= 0, "it is the first round's: " + longer);
    Duration request = Duration.ofNanos(world.nanos() - begun).minus(WAY.multipliedBy(4));
    check(longer.compareTo(request) <= 0, longer + " longer, but requested after " + request);
  }

  /** Pauses the process: its timers are as late as the answers. */
  private static CompletableFuture<AcquireResult> paused(DirectStore asked, long afterMicros) {
    CompletableFuture<AcquireResult> stage = asked.acquire(Duration.ofMillis(50));
    asked.scene().world.run(Duration.ofNanos(afterMicros * 1000));
    asked.node().pause(Duration.ofMillis(100));
    asked.scene().run(2_000);
    return stage;
  }

  void roundAsLongAsTheLeaseIsNotWon() {
    Scene scene = new Scene(3);
    DirectStore asked = DirectStore.of(scene);
    check(scene.world.await(asked.acquire(LEASE)) instanceof Granted, "not granted");
    scene.world.await(asked.store().release(KEY));
    scene.run(100);
    // The fences are known now: one round is enough.
    long raised = scene.sent(Operation.RAISE);
    CompletableFuture<AcquireResult> stage = paused(asked, 1_500);
    check(scene.sent(Operation.RAISE) == raised, "the votes differed: it is no test");
    check(!isGranted(stage), "granted, and over");
  }

  void writeBackAsLongAsTheLeaseDoesNotCount() {
    world.await(asked.store().inspect("a")); // connects, but learns no fence
    CompletableFuture<AcquireResult> stage = paused(asked, 2_500);
    check(sent(Operation.RAISE) > 0, "the votes agreed: it is no test");
    check(!isGranted(stage), "granted, and over");
  }

  void renewalAsLongAsTheLeaseDoesNotCount() {
    takes();
    world.await(asked.renew(LEASE)); // loads the script
    CompletableFuture<RenewResult> stage = asked.renew(Duration.ofMillis(50));
    run(1);
    asked.node().pause(Duration.ofMillis(100));
    run(2_000);
    check(stage.isCompletedExceptionally(), "renewed, and over");
  }
}
