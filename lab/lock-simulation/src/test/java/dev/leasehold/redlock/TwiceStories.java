package dev.leasehold.redlock;

import static dev.leasehold.redlock.DirectStore.KEY;
import static dev.leasehold.redlock.Scene.check;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Checks that seem redundant next to another one, and the cases that need each. Each method throws
 * if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class TwiceStories {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private static CompletableFuture<Optional<Lease>> tried(SimClient client, Duration lease) {
    return client
        .lock("a", LockOptions.fixed(lease))
        .tryAcquireAsync(Duration.ZERO)
        .toCompletableFuture();
  }

  private static DirectStore holder(Scene scene) {
    DirectStore asked = DirectStore.of(scene);
    check(scene.world.await(asked.acquire(LEASE)) instanceof AcquireResult.Granted, "not granted");
    scene.run(10);
    return asked;
  }

  /**
   * Nodes accept slightly longer leases as a margin for drift, which is not available to leases.
   */
  void leaseSlightlyOverTheLimitIsRefused() {
    Scene scene = new Scene(3);
    CompletableFuture<?> stage =
        DirectStore.of(scene).acquire(Scene.LONGEST.plus(Duration.ofMillis(100)));
    scene.run(500);
    check(stage.isCompletedExceptionally(), "not refused: " + stage);
  }

  void leaseFarOverTheLimitIsRefused() {
    Scene scene = new Scene(3);
    CompletableFuture<?> stage = DirectStore.of(scene).acquire(Scene.LONGEST.multipliedBy(2));
    scene.run(500);
    check(stage.isCompletedExceptionally(), "not refused: " + stage);
  }

  /** Its deadline has not passed, but its key was deleted by hand. */
  void overtakenGrantIsDiscarded() {
    Scene scene = new Scene(1);
    tried(scene.client("w"), LEASE).thenAccept(lease -> lease.orElseThrow().releaseAsync());
    scene.run(100);
    SimClient client = scene.client("c");
    scene.plan = call -> Fate.after(Scene.WAY, Duration.ofSeconds(1));
    CompletableFuture<Optional<Lease>> first = tried(client, LEASE);
    scene.run(10);
    check(scene.held("a") == 1, "not granted: it is no test");
    scene.at(0, "DEL", "lh:{a}");
    scene.plan = call -> Fate.after(Scene.WAY);
    CompletableFuture<Optional<Lease>> second = tried(client, LEASE);
    scene.run(10);
    check(second.join().isPresent(), "not granted");
    scene.run(2_000);
    check(first.isCompletedExceptionally(), "an older token after a newer one: " + first);
    check(second.join().orElseThrow().isValid(), "the newer lease was taken for lost");
  }

  void releasedTokenIsNotReacquired() {
    Scene scene = new Scene(3);
    DirectStore asked = holder(scene);
    scene.world.await(asked.renew(LEASE)); // loads the script
    scene.at(1, "DEL", "lh:{a}");
    CompletableFuture<RenewResult> renewed = asked.renew(LEASE);
    CompletableFuture<?> released = asked.store().release(KEY).toCompletableFuture();
    scene.run(100);
    check(renewed.join() == RenewResult.RENEWED && released.isDone(), "it is no test");
    check(scene.held("a") == 0, "taken without a holder");
  }

  void unknownTokenIsNotReacquired() {
    Scene scene = new Scene(3);
    holder(scene);
    DirectStore other = DirectStore.of(scene);
    scene.at(1, "DEL", "lh:{a}");
    long before = scene.sent(Operation.ACQUIRE);
    check(scene.world.await(other.renew(LEASE)) == RenewResult.RENEWED, "it is no test");
    scene.run(100);
    check(scene.sent(Operation.ACQUIRE) == before, "its holder may have released it meanwhile");
  }
}
