package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Refusals that recall the holder's lease. Static methods without parameters; each throws if the
 * behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class RecallStories {
  /** Than other messages: the holder takes a moment to release. */
  private static final Duration A_LITTLE_LATER = Scene.WAY.plusNanos(100_000);

  private static final Duration LINGER = Duration.ofSeconds(5);
  private static final Publishing HOW = Publishing.toStore("a", Publishing.COUNTS_ALL);
  private static final LeaseKey RECALLABLE = new LeaseKey("a", "c:4~s9");
  private static final LeaseKey LINGERING = new LeaseKey("a", "c:1~s0");

  private RecallStories() {}

  // ---- scripts ----

  private static void keeps(ScriptScene s) {
    s.send(
        s.store.acquire(
            new AcquireRequest(RECALLABLE, ScriptScene.LEASE, IfHeld.REFUSE).withHandOvers(3)));
  }

  private static Object recalls(ScriptScene s, LeaseKey key, IfHeld ifHeld) {
    return s.send(s.store.acquire(new AcquireRequest(key, ScriptScene.LEASE, ifHeld), HOW));
  }

  /** The channels and messages of recalls. */
  private static List<String> heard(ScriptScene s, String... storeIds) {
    List<String> all = new ArrayList<>();
    for (String id : storeIds) {
      s.listen(id, message -> all.add(id + " " + message));
    }
    return all;
  }

  static void refusalRecallsTheLease() {
    ScriptScene s = new ScriptScene();
    long left = -1 - ScriptScene.LEASE.toMillis();
    List<String> heard = heard(s, "s0", "s9");
    keeps(s);
    is(recalls(s, LINGERING, IfHeld.REFUSE), List.of(left, RECALLABLE.token(), 0L, 1L));
    is(heard, List.of("s9 a c:4~s9"));
    is(recalls(s, LINGERING, IfHeld.ENQUEUE), List.of(left, RECALLABLE.token(), 0L, 1L));
    is(heard, List.of("s9 a c:4~s9", "s9 a c:4~s9"));
    ScriptRequest sharded =
        s.store.acquire(
            new AcquireRequest(LINGERING, ScriptScene.LEASE, IfHeld.REFUSE),
            new Publishing(HOW.command(), HOW.prefix(), new byte[0], HOW.counts()));
    is(s.send(sharded), List.of(left, RECALLABLE.token(), 0L, 1L));
    is(heard.get(2), "s9 c:4~s9");
  }

  static void refusalRecallsOnlyWhatCanLinger() {
    ScriptScene s = new ScriptScene();
    long left = -1 - ScriptScene.LEASE.toMillis();
    List<String> heard = heard(s, "s9", "c:5");
    for (String other : List.of("c:5", "+" + RECALLABLE.token(), "-" + RECALLABLE.token())) {
      s.server.call("SET", ScriptScene.LOCK, other, "PX", "10000");
      is(recalls(s, LINGERING, IfHeld.REFUSE), left);
    }
    s.server.call("DEL", ScriptScene.LOCK);
    keeps(s);
    is(recalls(s, ScriptScene.ONE, IfHeld.REFUSE), List.of(left, RECALLABLE.token()));
    is(heard, List.of());
    is(recalls(s, RECALLABLE, IfHeld.REFUSE), s.micros + 3);
    is(heard, List.of());
  }

  /** The client that is refused sends it then. */
  static void refusalTellsThatNobodyHeardTheRecall() {
    ScriptScene s = new ScriptScene();
    long left = -1 - ScriptScene.LEASE.toMillis();
    keeps(s);
    is(recalls(s, LINGERING, IfHeld.REFUSE), List.of(left, RECALLABLE.token()));
    ScriptRequest mute =
        s.store.acquire(
            new AcquireRequest(LINGERING, ScriptScene.LEASE, IfHeld.REFUSE),
            new Publishing("-".getBytes(US_ASCII), HOW.prefix(), HOW.message(), HOW.counts()));
    is(s.send(mute), List.of(left, RECALLABLE.token()));
  }

  static void refusalThatMayNotPublishIsARefusal() {
    ScriptScene s = new ScriptScene();
    long left = -1 - ScriptScene.LEASE.toMillis();
    keeps(s);
    s.listen("s9", message -> s.server.call("ZCARD", ScriptScene.LOCK)); // an error
    is(recalls(s, LINGERING, IfHeld.REFUSE), List.of(left, RECALLABLE.token()));
    is(recalls(s, LINGERING, IfHeld.ENQUEUE), List.of(left, RECALLABLE.token()));
  }

  /** Its places are its own, as without a recall, and not the earlier of two as on a quorum. */
  static void recallingWaiterIsQueuedAsAnyOther() {
    ScriptScene s = new ScriptScene();
    keeps(s);
    for (int i = 0; i < 10; i++) {
      s.waits(new LeaseKey("a", "c:before-" + i));
      s.micros++;
    }
    heard(s, "s9");
    long left = -1 - s.left();
    is(recalls(s, LINGERING, IfHeld.ENQUEUE), List.of(left, RECALLABLE.token(), 10L, 1L));
    Object place = s.server.call("ZSCORE", ScriptScene.LOCK + ":wait", "s0:" + LINGERING.token());
    is(place, Long.toString(s.micros));
    s.micros += 100;
    recalls(s, LINGERING, IfHeld.ENQUEUE);
    place = s.server.call("ZSCORE", ScriptScene.LOCK + ":wait", "s0:" + LINGERING.token());
    is(place, Long.toString(s.micros));
  }

  static void voteRecallsTheLease() {
    ScriptScene s = new ScriptScene();
    long left = -1 - ScriptScene.LEASE.toMillis();
    List<String> heard = heard(s, "s9");
    s.acquire(RECALLABLE, 3, 0);
    AcquireRequest asks = new AcquireRequest(LINGERING, ScriptScene.LEASE, IfHeld.REFUSE);
    is(s.send(s.store.vote(asks, s.micros, HOW)), List.of(left, RECALLABLE.token(), 0L, 1L));
    is(heard, List.of("s9 a c:4~s9"));
  }

  // ---- clients ----

  private static Lease granted(Scene scene, SimClient client) {
    Optional<Lease> lease = scene.world.await(client.lock("a").tryAcquireAsync(Duration.ZERO));
    return lease.orElseThrow(() -> new AssertionError("not granted"));
  }

  private static void usesIt(Scene scene, SimClient client) {
    scene.world.await(granted(scene, client).releaseAsync());
    scene.run(20);
  }

  /** Lets a client keep a lease. Its first one is not kept, since it does not listen yet. */
  private static void idle(Scene scene, SimClient client) {
    usesIt(scene, client);
    scene.run(50);
    usesIt(scene, client);
    check(scene.held("a") > 0, "not kept");
  }

  static void lingeringClientNeedsNoMessageOfItsOwn() {
    Scene scene = new Scene(1);
    idle(scene, scene.lingeringClient("c", LINGER));
    granted(scene, scene.lingeringClient("d", LINGER));
    check(scene.sent(Operation.RECALL) == 0, "it sent a recall beside its request");
  }

  static void lingeringWaiterNeedsNoMessageOfItsOwn() {
    Scene scene = new Scene(1);
    idle(scene, scene.lingeringClient("c", LINGER));
    SimClient other = scene.lingeringClient("d", LINGER);
    CompletableFuture<Lease> lease = other.lock("a").acquireAsync().toCompletableFuture();
    scene.run(50);
    check(lease.isDone(), "it waits for an unused lease");
    check(scene.sent(Operation.RECALL) == 0, "it sent a recall beside its request");
  }

  /** An unused lease is back by then: it needs no wake-up, which would cost a third request. */
  static void lingeringWaiterIsGrantedAtItsSecondRequest() {
    Scene scene = new Scene(1);
    idle(scene, scene.lingeringClient("c", LINGER));
    SimClient other = scene.lingeringClient("d", LINGER);
    other.lock("b").acquireAsync(); // from now on it listens
    scene.run(50);
    scene.plan =
        call -> Fate.after(call.operation() == Operation.WAKE_UP ? A_LITTLE_LATER : Scene.WAY);
    long before = scene.sent(Operation.ACQUIRE);
    CompletableFuture<Lease> lease = other.lock("a").acquireAsync().toCompletableFuture();
    scene.run(50);
    check(lease.isDone(), "it waits for an unused lease");
    long sent = scene.sent(Operation.ACQUIRE) - before;
    check(sent == 2, "it asked " + sent + " times");
  }

  /** The lease is in use, and the waiter is queued a moment after it was refused. */
  static void lingeringWaiterIsQueuedSoon() {
    Scene scene = new Scene(1);
    SimClient keeper = scene.lingeringClient("c", LINGER);
    idle(scene, keeper);
    Lease held = granted(scene, keeper);
    SimClient other = scene.lingeringClient("d", LINGER);
    other.lock("b").acquireAsync(); // from now on it listens
    scene.run(50);
    long before = scene.sent(Operation.ACQUIRE);
    CompletableFuture<Lease> lease = other.lock("a").acquireAsync().toCompletableFuture();
    scene.run(6);
    check(scene.at(0, "ZCARD", "lh:{a}:wait").equals(1L), "not queued");
    scene.run(100);
    long sent = scene.sent(Operation.ACQUIRE) - before;
    check(sent == 2, "it asked " + sent + " times");
    scene.world.await(held.releaseAsync());
    scene.run(10);
    check(lease.isDone(), "not woken");
  }

  static void waiterThatCantListenDoesNotAskOnAndOn() {
    Scene scene = new Scene(1);
    SimClient keeper = scene.lingeringClient("c", LINGER);
    idle(scene, keeper);
    granted(scene, keeper);
    scene.plan =
        call -> call.operation() == Operation.WATCH ? Fate.requestLost() : Fate.after(Scene.WAY);
    long before = scene.sent(Operation.ACQUIRE);
    scene.lingeringClient("d", LINGER).lock("a").acquireAsync();
    scene.run(500);
    long sent = scene.sent(Operation.ACQUIRE) - before;
    check(sent >= 2 && sent < 5, "it asked " + sent + " times");
  }

  static void otherClientSendsAMessage() {
    Scene scene = new Scene(1);
    idle(scene, scene.lingeringClient("c", LINGER));
    granted(scene, scene.client("d"));
    check(scene.sent(Operation.RECALL) > 0, "it sent no recall");
  }

  static void lingeringClientOfAQuorumNeedsNoMessageOfItsOwn() {
    Scene scene = new Scene(3);
    idle(scene, scene.lingeringQuorumClient("c", LINGER));
    granted(scene, scene.lingeringQuorumClient("d", LINGER));
    check(scene.sent(Operation.RECALL) == 0, "it sent a recall beside its request");
  }

  /** The nodes that refuse are not the one on which the lease's process listens. */
  static void recallThatNoNodeDeliversIsSent() {
    Scene scene = new Scene(3);
    idle(scene, scene.lingeringQuorumClient("c", LINGER));
    scene.at(0, "DEL", "lh:{a}");
    SimClient other = scene.lingeringQuorumClient("d", LINGER);
    CompletableFuture<Lease> lease = other.lock("a").acquireAsync().toCompletableFuture();
    scene.run(1500);
    check(lease.isDone(), "its recalls are not heard");
  }
}
