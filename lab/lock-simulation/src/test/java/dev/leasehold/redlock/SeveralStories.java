package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.internal.OneByOne;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The required behaviour of the engine for several locks on a quorum, where it takes them one after
 * another. Each method throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class SeveralStories {
  /** Requests a and b while another owner holds b. */
  private static CompletableFuture<Optional<List<Lease>>> asks(
      Scene scene, Optional<Duration> atMost) {
    scene.world.await(scene.quorumClient("other").lock("b").acquireAsync());
    SimClient client = scene.quorumClient("c");
    List<DistributedLock> both = List.of(client.lock("a"), client.lock("b"));
    CompletableFuture<Optional<List<Lease>>> asked = OneByOne.take(client, both, atMost);
    scene.run(500);
    return asked;
  }

  void refusedRequestAcquiresNothing() {
    Scene scene = new Scene(3);
    CompletableFuture<Optional<List<Lease>>> asked = asks(scene, Optional.of(Duration.ZERO));
    check(asked.isDone() && asked.join().isEmpty(), "not refused: it is no test");
    check(scene.held("a") == 0, "refused, and has one of them");
  }

  void waitingRequestHoldsNothing() {
    Scene scene = new Scene(3);
    CompletableFuture<Optional<List<Lease>>> asked = asks(scene, Optional.empty());
    check(!asked.isDone(), "does not wait: it is no test");
    check(scene.held("a") == 0, "waits, and has one of them");
  }
}
