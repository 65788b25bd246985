package dev.leasehold.redlock;

import static dev.leasehold.redlock.DirectStore.KEY;
import static dev.leasehold.redlock.Scene.check;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.List;

/**
 * How long the nodes of a quorum keep a lock: minimum holds, and overdue releases. Static methods
 * without parameters; each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class HoldStories {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration MINIMUM = Duration.ofSeconds(30);

  private HoldStories() {}

  /** A store without a known fence, so that the nodes' votes differ; the nodes have the scripts. */
  private static DirectStore asked(Scene scene) {
    LeaseKey key = new LeaseKey("other", KEY.token());
    DirectStore other = DirectStore.of(scene);
    acquires(other, key);
    scene.world.await(other.store().renew(List.of(new RenewRequest(key, LEASE))).get(0));
    scene.world.await(other.store().keep(key, LEASE));
    scene.run(100);
    return DirectStore.of(scene);
  }

  private static void acquires(DirectStore asked, LeaseKey key) {
    Duration ttl = Quorum.engineTtl(MINIMUM);
    AcquireRequest request = new AcquireRequest(key, ttl, IfHeld.REFUSE).withAtLeast(MINIMUM);
    AcquireResult result = asked.scene().world.await(asked.store().acquire(request));
    check(result instanceof AcquireResult.Granted, "not granted: " + result);
  }

  private static long left(Scene scene, int node) {
    return (Long) scene.at(node, "PTTL", "lh:{a}");
  }

  /** The grant takes as long as two slow rounds: the votes and the write-back. */
  static void minimumHoldStartsAtTheGrant() {
    Scene scene = new Scene(3);
    DirectStore asked = asked(scene);
    scene.plan = call -> Fate.after(Scene.WAY, Duration.ofMillis(480));
    long raised = scene.sent(Operation.RAISE);
    acquires(asked, KEY);
    check(scene.sent(Operation.RAISE) > raised, "the votes agreed: it is no test");
    for (int i = 0; i < 3; i++) {
      check(left(scene, i) >= MINIMUM.toMillis(), "a node has it for " + left(scene, i) + " ms");
    }
  }

  static void nodeThatReacquiresKeepsTheMinimumHold() {
    Scene scene = new Scene(3);
    DirectStore asked = asked(scene);
    acquires(asked, KEY);
    check(scene.world.await(asked.renew(LEASE)) == RenewResult.RENEWED, "not renewed");
    scene.at(1, "DEL", "lh:{a}");
    scene.world.run(Duration.ofNanos(300_000));
    check(scene.world.await(asked.renew(LEASE)) == RenewResult.RENEWED, "not renewed");
    scene.run(10);
    check(
        left(scene, 1) >= left(scene, 0),
        "taken again for " + left(scene, 1) + " ms, and others have " + left(scene, 0));
  }

  /** A node that releases later keeps the rest of the minimum as long as the others do. */
  static void laterReleaseKeepsTheMinimumHold() {
    Scene scene = new Scene(3);
    DirectStore asked = asked(scene);
    acquires(asked, KEY);
    scene.run(10);
    Duration fraction = Scene.WAY.plusNanos(300_000);
    scene.plan = call -> isLast(call) ? cut(Duration.ofDays(1), fraction) : Fate.after(Scene.WAY);
    asked.store().keep(KEY, LEASE);
    scene.run(20);
    scene.plan = call -> Fate.after(Scene.WAY);
    scene.run(500);
    check(left(scene, 2) < MINIMUM.toMillis() / 2, "not given back: it is no test");
    check(
        left(scene, 2) >= left(scene, 0),
        "kept for " + left(scene, 2) + " ms, and others for " + left(scene, 0));
  }

  /** The node gets the request late, after its connection was cut. */
  static void lateGrantIsReleasedForLonger() {
    Scene scene = new Scene(3);
    DirectStore asked = asked(scene);
    Duration late = Duration.ofSeconds(5);
    scene.plan =
        call ->
            !isLast(call)
                ? Fate.after(Scene.WAY)
                : cut(call.operation() == Operation.ACQUIRE ? late : Duration.ofDays(1), Scene.WAY);
    check(scene.world.await(asked.acquire(LEASE)) instanceof AcquireResult.Granted, "not granted");
    scene.world.await(asked.store().release(KEY));
    scene.run(LEASE.toMillis() + 1_000);
    check(scene.servers.get(2).holds("a"), "it has not taken it: it is no test");
    scene.plan = call -> Fate.after(Scene.WAY);
    asked.store().inspect("a"); // the node answers again
    scene.run(500);
    check(scene.held("a") == 0, "its loss is not signalled, and the lock has no holder");
  }

  private static boolean isLast(SimCall call) {
    return call.server().equals("n2");
  }

  private static Fate cut(Duration request, Duration after) {
    return new Fate.Failed(
        List.of(request),
        after,
        new LockStoreException(LockStoreException.Kind.UNREACHABLE, "the connection was cut"));
  }
}
