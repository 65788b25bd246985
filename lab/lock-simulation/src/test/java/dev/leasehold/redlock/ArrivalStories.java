package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The order of arrival if a node's clock is wrong. Each method throws if the behaviour differs. */
@SuppressWarnings("unused") // called by reflection
final class ArrivalStories {
  private static final LockOptions FIXED = LockOptions.fixed(Duration.ofSeconds(30));
  private static final Duration LATE = Scene.WAY.multipliedBy(5);

  private final Scene scene = new Scene(3);
  private final List<String> served = new ArrayList<>();

  private void oneIsAhead(Duration ahead) {
    scene.servers.get(2).node().stepWallClock(ahead);
  }

  private Lease take(SimClient client) {
    return scene.world.await(client.lock("a", FIXED).as(LockOwner.unique("holder")).acquireAsync());
  }

  private void release(Lease lease) {
    scene.world.await(lease.releaseAsync());
  }

  private void wait(SimClient client, String name) {
    client
        .lock("a", FIXED)
        .as(LockOwner.unique(name))
        .acquireAsync()
        .thenCompose(
            lease -> {
              served.add(name);
              return lease.releaseAsync();
            });
    scene.run(100);
  }

  /** A client that has held the lock, by a quorum with the wrong node, and one that never has. */
  private void warmBeforeCold() {
    SimClient holder = scene.fairClient("holder");
    SimClient warm = scene.fairClient("warm");
    scene.plan = call -> Fate.after(call.server().equals("n0") ? LATE : Scene.WAY);
    release(take(warm));
    scene.plan = call -> Fate.after(Scene.WAY);
    Lease held = take(holder);
    wait(warm, "first");
    wait(scene.fairClient("cold"), "second");
    release(held);
    scene.run(3000);
    check(served.equals(List.of("first", "second")), "served " + served);
  }

  void clockAheadMovesNoWaiterBack() {
    oneIsAhead(Duration.ofSeconds(5));
    warmBeforeCold();
  }

  void clockBehindMovesNoWaiterForward() {
    oneIsAhead(Duration.ofSeconds(-5));
    SimClient holder = scene.fairClient("holder");
    Lease held = take(holder);
    wait(scene.fairClient("one"), "first");
    scene.plan = call -> Fate.after(call.server().equals("n0") ? LATE : Scene.WAY);
    wait(scene.fairClient("two"), "second");
    release(held);
    scene.run(3000);
    check(served.equals(List.of("first", "second")), "served " + served);
  }

  void unreachableWrongClockGivesNoAdvantage() {
    oneIsAhead(Duration.ofSeconds(5));
    Lease held = take(scene.fairClient("holder"));
    wait(scene.fairClient("one"), "first");
    scene.servers.get(2).node().pause(Duration.ofSeconds(2));
    wait(scene.fairClient("two"), "second");
    scene.run(3000);
    release(held);
    scene.run(3000);
    check(served.equals(List.of("first", "second")), "served " + served);
  }

  void firstRequestHasOnePlaceOnAllNodes() {
    oneIsAhead(Duration.ofSeconds(5));
    Lease held = take(scene.fairClient("holder"));
    scene.run(100); // all nodes have granted it
    wait(scene.fairClient("cold"), "first");
    List<?> places =
        IntStream.range(0, 3)
            .mapToObj(i -> scene.at(i, "ZRANGE", "lh:{a}:wait", "0", "-1", "WITHSCORES"))
            .map(line -> ((List<?>) line).get(1)) // each node has another name for the client
            .distinct()
            .toList();
    check(places.size() == 1, "places " + places);
    release(held);
  }
}
