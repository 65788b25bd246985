package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static dev.leasehold.redlock.ScriptScene.LEASE;
import static dev.leasehold.redlock.ScriptScene.LOCK;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.RecallScripts;
import dev.leasehold.redis.common.TogetherScripts;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Marks of waiters, and releases by the server's own compare-and-delete. Static methods without
 * parameters; each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class MarkStories {
  private static final LeaseKey ONE = new LeaseKey("a", "c:1.");
  private static final LeaseKey TWO = new LeaseKey("a", "c:2.");
  private static final LeaseKey THREE = new LeaseKey("a", "c:3.");

  private MarkStories() {}

  /** One holds the lock, and two waits. */
  private static ScriptScene marked() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.waits(TWO);
    is(s.get(LOCK), "c:1.!");
    return s;
  }

  static void waiterMarks() {
    ScriptScene s = marked();
    check(s.left() == LEASE.toMillis(), "another time to live: " + s.left());
    s.waits(THREE);
    is(s.get(LOCK), "c:1.!");
  }

  static void refusedRequestWithoutAPlaceDoesNotMark() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.send(s.store.acquire(new AcquireRequest(TWO, LEASE, IfHeld.REFUSE)));
    is(s.get(LOCK), "c:1.");
  }

  static void otherValuesAreNotMarked() {
    for (String value : List.of("c:1", "another", "+c:1.", "-c:1.")) {
      ScriptScene s = new ScriptScene();
      s.server.call("SET", LOCK, value, "PX", "10000");
      s.waits(TWO);
      is(s.get(LOCK), value);
    }
  }

  static void markedLeaseIsAcquiredAgain() {
    ScriptScene s = new ScriptScene();
    long fence = s.acquire(ONE);
    s.waits(TWO);
    is(s.acquire(ONE), fence);
    is(s.get(LOCK), "c:1.!");
  }

  static void markedLeaseIsRenewed() {
    ScriptScene s = marked();
    s.renew(LEASE.multipliedBy(2), ONE, 1);
    check(s.left() == LEASE.toMillis() * 2, "not renewed");
  }

  static void markedLeaseIsReleased() {
    ScriptScene s = marked();
    s.listen("s0");
    is(s.release(ONE), 3L);
    is(s.get(LOCK), "+c:2.");
  }

  static void markedLeaseIsWithdrawn() {
    ScriptScene s = marked();
    is(s.number(s.store.withdraw(ONE)), 1L);
    check(!s.isThere(LOCK), "still held");
  }

  static void markedLeaseIsKept() {
    ScriptScene s = marked();
    byte[] key = LOCK.getBytes(US_ASCII);
    is(s.number(FencedScripts.keep(key, ONE, Duration.ofSeconds(1))), 1L);
    is(s.get(LOCK), "-c:1.");
  }

  static void markedLeaseIsShownWithoutItsMark() {
    ScriptScene s = marked();
    is(((List<?>) s.send(s.store.inspect("a"))).get(0), "c:1.");
  }

  static void markedLeaseGetsALargerFence() {
    ScriptScene s = marked();
    long fence = s.micros + 10;
    is(s.number(ScriptScene.raise(ONE, fence)), 1L);
    is(s.get(LOCK + ":fence"), Long.toString(fence));
  }

  static void leaseThatCanBeRecalledIsNotMarked() {
    ScriptScene s = new ScriptScene();
    LeaseKey lingering = RecallScripts.recallable(ONE, "s0");
    is(lingering.token(), "c:1~s0");
    s.acquire(lingering);
    s.waits(TWO);
    is(s.get(LOCK), "c:1~s0");
  }

  static void markedLeaseIsReleasedTogetherWithOthers() {
    ScriptScene s = marked();
    TogetherScripts together = new TogetherScripts(KeySpace.WHOLE);
    Object reply =
        s.send(
            together.release(
                List.of(ONE), List.of(), key -> Publishing.toStore(key, Publishing.COUNTS_ALL)));
    is(reply, List.of(1L));
    check(!s.isThere(LOCK), "still held");
  }

  static void severalLocksAtOnceAreMarked() {
    ScriptScene s = new ScriptScene();
    TogetherScripts together = new TogetherScripts(KeySpace.WHOLE);
    LeaseKey other = new LeaseKey("b", "c:2");
    List<AcquireRequest> both =
        List.of(
            new AcquireRequest(ONE, LEASE, IfHeld.REFUSE),
            new AcquireRequest(other, LEASE, IfHeld.REFUSE));
    check(s.send(together.acquire(both, List.of())) instanceof Long, "refused");
    is(s.get(LOCK), "c:1.!");
    is(s.get("lh:{b}"), "c:2");
    check(s.send(together.acquire(both, List.of())) instanceof Long, "refused to its token");
  }

  static void freeLockIsGrantedMarkedIfOthersWait() {
    ScriptScene s = marked();
    s.server.call("DEL", LOCK);
    s.micros += 1000; // the usual way to draw a fence
    s.acquire(THREE);
    is(s.get(LOCK), "c:3.!");
    check(s.left() == LEASE.toMillis(), "another time to live: " + s.left());
  }

  static void reservedLockIsGrantedMarkedIfOthersWait() {
    ScriptScene s = marked();
    s.listen("s0");
    s.waits(THREE);
    s.release(ONE);
    s.waits(TWO);
    is(s.get(LOCK), "c:2.!");
    s.release(TWO);
    s.waits(THREE);
    is(s.get(LOCK), "c:3.");
  }

  static void unmarkableLeaseIsGrantedUnmarked() {
    ScriptScene s = marked();
    s.server.call("DEL", LOCK);
    s.waits(new LeaseKey("a", "c:3"));
    is(s.get(LOCK), "c:3");
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

  static void uncontendedReleaseIsNative() {
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

  static void unmarkableLeaseIsReleasedByTheScript() {
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

  static void lostReplyToANativeReleaseDoesNoHarm() {
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

  static void waiterIsWokenAtOnce() {
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

  static void everyWaiterIsWokenAtOnce() {
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

  static void contendedNameIsReleasedByTheScriptAtOnce() {
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
