package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.RecallScripts;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.TogetherScripts;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Marks of waiters, and releases by the server's own compare-and-delete. Each method throws if the
 * behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class MarkStories extends ScriptScene {
  private static final LeaseKey ONE = new LeaseKey("a", "c:1.");
  private static final LeaseKey TWO = new LeaseKey("a", "c:2.");
  private static final LeaseKey THREE = new LeaseKey("a", "c:3.");

  /** One holds the lock, and two waits. */
  private void marked() {
    acquire(ONE);
    waits(TWO);
    is(get(LOCK), "c:1.!");
  }

  void waiterMarks() {
    marked();
    check(left() == LEASE.toMillis(), "another time to live: " + left());
    waits(THREE);
    is(get(LOCK), "c:1.!");
  }

  void refusedRequestWithoutAPlaceDoesNotMark() {
    acquire(ONE);
    send(store.acquire(new AcquireRequest(TWO, LEASE, IfHeld.REFUSE)));
    is(get(LOCK), "c:1.");
  }

  void otherValuesAreNotMarked() {
    for (String value : List.of("c:1", "another", "+c:1.", "-c:1.")) {
      ScriptScene s = new ScriptScene();
      s.server.call("SET", LOCK, value, "PX", "10000");
      s.waits(TWO);
      is(s.get(LOCK), value);
    }
  }

  void markedLeaseIsAcquiredAgain() {
    long fence = acquire(ONE);
    waits(TWO);
    is(acquire(ONE), fence);
    is(get(LOCK), "c:1.!");
  }

  void markedLeaseIsRenewed() {
    marked();
    renew(LEASE.multipliedBy(2), ONE, 1);
    check(left() == LEASE.toMillis() * 2, "not renewed");
  }

  void markedLeaseIsReleased() {
    marked();
    listen("s0");
    is(release(ONE), 3L);
    is(get(LOCK), "+c:2.");
  }

  void markedLeaseIsWithdrawn() {
    marked();
    is(number(store.withdraw(ONE)), 1L);
    check(!isThere(LOCK), "still held");
  }

  void markedLeaseIsKept() {
    marked();
    byte[] key = LOCK.getBytes(US_ASCII);
    is(number(FencedScripts.keep(key, ONE, Duration.ofSeconds(1))), 1L);
    is(get(LOCK), "-c:1.");
  }

  void markedLeaseIsShownWithoutItsMark() {
    marked();
    is(((List<?>) send(store.inspect("a"))).get(0), "c:1.");
  }

  void markedLeaseGetsALargerFence() {
    marked();
    long fence = micros + 10;
    is(number(ScriptScene.raise(ONE, fence)), 1L);
    is(get(LOCK + ":fence"), Long.toString(fence));
  }

  void leaseThatCanBeRecalledIsNotMarked() {
    LeaseKey lingering = RecallScripts.recallable(ONE, "s0");
    is(lingering.token(), "c:1~s0");
    acquire(lingering);
    waits(TWO);
    is(get(LOCK), "c:1~s0");
  }

  void markedLeaseIsReleasedTogetherWithOthers() {
    marked();
    TogetherScripts together = new TogetherScripts(Script.TOGETHER, KeySpace.WHOLE);
    Object reply =
        send(together.release(List.of(ONE), key -> Publishing.toStore(key, Publishing.COUNTS_ALL)));
    is(reply, List.of(1L));
    check(!isThere(LOCK), "still held");
  }

  void severalLocksAtOnceAreMarked() {
    TogetherScripts together = new TogetherScripts(Script.TOGETHER, KeySpace.WHOLE);
    LeaseKey other = new LeaseKey("b", "c:2");
    List<AcquireRequest> both =
        List.of(
            new AcquireRequest(ONE, LEASE, IfHeld.REFUSE),
            new AcquireRequest(other, LEASE, IfHeld.REFUSE));
    check(send(together.acquire(both, List.of())) instanceof Long, "refused");
    is(get(LOCK), "c:1.!");
    is(get("lh:{b}"), "c:2");
    check(send(together.acquire(both, List.of())) instanceof Long, "refused to its token");
  }

  void freeLockIsGrantedMarkedIfOthersWait() {
    marked();
    server.call("DEL", LOCK);
    micros += 1000; // the usual way to draw a fence
    acquire(THREE);
    is(get(LOCK), "c:3.!");
    check(left() == LEASE.toMillis(), "another time to live: " + left());
  }

  void reservedLockIsGrantedMarkedIfOthersWait() {
    marked();
    listen("s0");
    waits(THREE);
    release(ONE);
    waits(TWO);
    is(get(LOCK), "c:2.!");
    release(TWO);
    waits(THREE);
    is(get(LOCK), "c:3.");
  }

  void unmarkableLeaseIsGrantedUnmarked() {
    marked();
    server.call("DEL", LOCK);
    waits(new LeaseKey("a", "c:3"));
    is(get(LOCK), "c:3");
  }

  private static Lease held(Scene scene, CompletionStage<Lease> asked) {
    return scene.world.await(asked);
  }

  private static Lease acquire(Scene scene, SimClient client) {
    return held(scene, client.lock("a").acquireAsync());
  }

  private static long releases(Scene scene) {
    return scene.sent(Operation.RELEASE);
  }

  /** A client that knows what its server has. */
  private static SimClient client(Scene scene, String name) {
    SimClient client = scene.client(name);
    scene.world.await(acquire(scene, client).releaseAsync());
    scene.run(100);
    return client;
  }

  private static Scene scene() {
    Scene scene = new Scene(1);
    scene.servers.get(0).comparesAndDeletes();
    return scene;
  }

  void uncontendedReleaseIsNative() {
    Scene scene = scene();
    SimClient c = client(scene, "c");
    Lease lease = acquire(scene, c);
    String value = (String) scene.at(0, "GET", LOCK);
    check(value.endsWith("."), "it can't be marked: " + value);
    long before = releases(scene);
    scene.world.await(lease.releaseAsync());
    check(scene.held("a") == 0, "still held");
    is(releases(scene) - before, 1L);
  }

  void unmarkableLeaseIsReleasedByTheScript() {
    Scene scene = scene();
    SimClient c = client(scene, "c");
    SimClient d = scene.client("d"); // does not know yet what the server has
    Lease lease = acquire(scene, d);
    CompletableFuture<Lease> waiting = c.lock("a").acquireAsync().toCompletableFuture();
    scene.run(300);
    scene.world.await(lease.releaseAsync());
    scene.run(10);
    check(waiting.isDone(), "not woken");
  }

  void lostReplyToANativeReleaseDoesNoHarm() {
    Scene scene = scene();
    SimClient c = client(scene, "c");
    Lease lease = acquire(scene, c);
    long before = releases(scene);
    scene.plan =
        call ->
            call.operation() == Operation.RELEASE && releases(scene) == before + 1
                ? Fate.replyLost(Scene.WAY)
                : Fate.after(Scene.WAY);
    CompletableFuture<Void> released = lease.releaseAsync().toCompletableFuture();
    scene.run(5);
    check(scene.held("a") == 0, "still held");
    Lease next = acquire(scene, client(scene, "d"));
    scene.run(10_000); // c asks again meanwhile
    check(released.isDone(), "it never ended");
    check(next.isValid() && scene.held("a") == 1, "the successor's lock was deleted");
    check(next.fencingToken() > lease.fencingToken(), "a token that is not larger");
  }

  void waiterIsWokenAtOnce() {
    Scene scene = scene();
    SimClient c = client(scene, "c");
    SimClient d = client(scene, "d");
    for (int i = 0; i < 3; i++) {
      Lease lease = acquire(scene, c);
      CompletableFuture<Lease> waiting = d.lock("a").acquireAsync().toCompletableFuture();
      scene.run(300);
      scene.world.await(lease.releaseAsync());
      scene.run(10);
      check(waiting.isDone(), "not woken");
      scene.world.await(waiting.join().releaseAsync());
      scene.run(100);
    }
  }

  void everyWaiterIsWokenAtOnce() {
    Scene scene = scene();
    SimClient c = client(scene, "c");
    List<SimClient> others = List.of(client(scene, "d"), client(scene, "e"), client(scene, "f"));
    Lease lease = acquire(scene, c);
    List<CompletableFuture<Lease>> waiting =
        others.stream().map(o -> o.lock("a").acquireAsync().toCompletableFuture()).toList();
    scene.run(300);
    scene.world.await(lease.releaseAsync());
    for (int i = 0; i < waiting.size(); i++) {
      scene.run(20);
      List<Lease> granted =
          waiting.stream()
              .filter(CompletableFuture::isDone)
              .map(CompletableFuture::join)
              .filter(Lease::isValid)
              .toList();
      check(granted.size() == 1, "granted: " + granted);
      scene.world.await(granted.get(0).releaseAsync());
    }
  }

  void contendedNameIsReleasedByTheScriptAtOnce() {
    Scene scene = scene();
    SimClient c = client(scene, "c");
    SimClient d = client(scene, "d");
    long[] sent = new long[3];
    for (int i = 0; i < 3; i++) {
      Lease lease = acquire(scene, c);
      CompletableFuture<Lease> waiting = d.lock("a").acquireAsync().toCompletableFuture();
      scene.run(300);
      long before = releases(scene);
      scene.world.await(lease.releaseAsync());
      sent[i] = releases(scene) - before;
      scene.run(10);
      scene.world.await(waiting.join().releaseAsync());
      scene.run(100);
    }
    is(List.of(sent[0], sent[1], sent[2]), List.of(2L, 1L, 1L));
  }
}
