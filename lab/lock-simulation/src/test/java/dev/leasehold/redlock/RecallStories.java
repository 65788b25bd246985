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

/** Refusals that recall the holder's lease. Each method throws if the behaviour differs. */
@SuppressWarnings("unused") // called by reflection
final class RecallStories extends ScriptScene {
  /** Than other messages: the holder takes a moment to release. */
  private static final Duration A_LITTLE_LATER = Scene.WAY.plusNanos(100_000);

  private static final Duration LINGER = Duration.ofSeconds(5);
  private static final Publishing HOW = Publishing.toStore("a", Publishing.COUNTS_ALL);
  private static final LeaseKey RECALLABLE = new LeaseKey("a", "c:4~s9");
  private static final LeaseKey LINGERING = new LeaseKey("a", "c:1~s0");

  // ---- scripts ----

  private void keeps() {
    send(store.acquire(new AcquireRequest(RECALLABLE, LEASE, IfHeld.REFUSE).withHandOvers(3)));
  }

  private Object recalls(LeaseKey key, IfHeld ifHeld) {
    return send(store.acquire(new AcquireRequest(key, LEASE, ifHeld), HOW));
  }

  /** The channels and messages of recalls. */
  private List<String> heard(String... storeIds) {
    List<String> all = new ArrayList<>();
    for (String id : storeIds) {
      listen(id, message -> all.add(id + " " + message));
    }
    return all;
  }

  void refusalRecallsTheLease() {
    long left = -1 - LEASE.toMillis();
    List<String> heard = heard("s0", "s9");
    keeps();
    is(recalls(LINGERING, IfHeld.REFUSE), List.of(left, RECALLABLE.token(), 0L, 1L));
    is(heard, List.of("s9 a c:4~s9"));
    is(recalls(LINGERING, IfHeld.ENQUEUE), List.of(left, RECALLABLE.token(), 0L, 1L));
    is(heard, List.of("s9 a c:4~s9", "s9 a c:4~s9"));
    ScriptRequest sharded =
        store.acquire(
            new AcquireRequest(LINGERING, LEASE, IfHeld.REFUSE),
            new Publishing(HOW.command(), HOW.prefix(), new byte[0], HOW.counts()));
    is(send(sharded), List.of(left, RECALLABLE.token(), 0L, 1L));
    is(heard.get(2), "s9 c:4~s9");
  }

  void refusalRecallsOnlyWhatCanLinger() {
    long left = -1 - LEASE.toMillis();
    List<String> heard = heard("s9", "c:5");
    for (String other : List.of("c:5", "+" + RECALLABLE.token(), "-" + RECALLABLE.token())) {
      server.call("SET", LOCK, other, "PX", "10000");
      is(recalls(LINGERING, IfHeld.REFUSE), left);
    }
    server.call("DEL", LOCK);
    keeps();
    is(recalls(ONE, IfHeld.REFUSE), List.of(left, RECALLABLE.token()));
    is(heard, List.of());
    is(recalls(RECALLABLE, IfHeld.REFUSE), micros + 3);
    is(heard, List.of());
  }

  /** The client that is refused sends it then. */
  void refusalTellsThatNobodyHeardTheRecall() {
    long left = -1 - LEASE.toMillis();
    keeps();
    is(recalls(LINGERING, IfHeld.REFUSE), List.of(left, RECALLABLE.token()));
    ScriptRequest mute =
        store.acquire(
            new AcquireRequest(LINGERING, LEASE, IfHeld.REFUSE),
            new Publishing("-".getBytes(US_ASCII), HOW.prefix(), HOW.message(), HOW.counts()));
    is(send(mute), List.of(left, RECALLABLE.token()));
  }

  void refusalThatMayNotPublishIsARefusal() {
    long left = -1 - LEASE.toMillis();
    keeps();
    listen("s9", message -> server.call("ZCARD", LOCK)); // an error
    is(recalls(LINGERING, IfHeld.REFUSE), List.of(left, RECALLABLE.token()));
    is(recalls(LINGERING, IfHeld.ENQUEUE), List.of(left, RECALLABLE.token()));
  }

  /** Its places are its own, as without a recall, and not the earlier of two as on a quorum. */
  void recallingWaiterIsQueuedAsAnyOther() {
    keeps();
    for (int i = 0; i < 10; i++) {
      waits(new LeaseKey("a", "c:before-" + i));
      micros++;
    }
    heard("s9");
    long left = -1 - left();
    is(recalls(LINGERING, IfHeld.ENQUEUE), List.of(left, RECALLABLE.token(), 10L, 1L));
    Object place = server.call("ZSCORE", LOCK + ":wait", "s0:" + LINGERING.token());
    is(place, Long.toString(micros));
    micros += 100;
    recalls(LINGERING, IfHeld.ENQUEUE);
    place = server.call("ZSCORE", LOCK + ":wait", "s0:" + LINGERING.token());
    is(place, Long.toString(micros));
  }

  void voteRecallsTheLease() {
    long left = -1 - LEASE.toMillis();
    List<String> heard = heard("s9");
    acquire(RECALLABLE, 3, 0);
    AcquireRequest asks = new AcquireRequest(LINGERING, LEASE, IfHeld.REFUSE);
    is(send(store.vote(asks, micros, HOW)), List.of(left, RECALLABLE.token(), 0L, 1L));
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

  void lingeringClientNeedsNoMessageOfItsOwn() {
    Scene scene = new Scene(1);
    idle(scene, scene.lingeringClient("c", LINGER));
    granted(scene, scene.lingeringClient("d", LINGER));
    check(scene.sent(Operation.RECALL) == 0, "it sent a recall beside its request");
  }

  void lingeringWaiterNeedsNoMessageOfItsOwn() {
    Scene scene = new Scene(1);
    idle(scene, scene.lingeringClient("c", LINGER));
    SimClient other = scene.lingeringClient("d", LINGER);
    CompletableFuture<Lease> lease = other.lock("a").acquireAsync().toCompletableFuture();
    scene.run(50);
    check(lease.isDone(), "it waits for an unused lease");
    check(scene.sent(Operation.RECALL) == 0, "it sent a recall beside its request");
  }

  /** An unused lease is back by then: it needs no wake-up, which would cost a third request. */
  void lingeringWaiterIsGrantedAtItsSecondRequest() {
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
  void lingeringWaiterIsQueuedSoon() {
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

  void waiterThatCantListenDoesNotAskOnAndOn() {
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

  void otherClientSendsAMessage() {
    Scene scene = new Scene(1);
    idle(scene, scene.lingeringClient("c", LINGER));
    granted(scene, scene.client("d"));
    check(scene.sent(Operation.RECALL) > 0, "it sent no recall");
  }

  void lingeringClientOfAQuorumNeedsNoMessageOfItsOwn() {
    Scene scene = new Scene(3);
    idle(scene, scene.lingeringQuorumClient("c", LINGER));
    granted(scene, scene.lingeringQuorumClient("d", LINGER));
    check(scene.sent(Operation.RECALL) == 0, "it sent a recall beside its request");
  }

  /** The nodes that refuse are not the one on which the lease's process listens. */
  void recallThatNoNodeDeliversIsSent() {
    Scene scene = new Scene(3);
    idle(scene, scene.lingeringQuorumClient("c", LINGER));
    scene.at(0, "DEL", "lh:{a}");
    SimClient other = scene.lingeringQuorumClient("d", LINGER);
    CompletableFuture<Lease> lease = other.lock("a").acquireAsync().toCompletableFuture();
    scene.run(1500);
    check(lease.isDone(), "its recalls are not heard");
  }
}
