package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.TogetherScripts;
import dev.leasehold.redis.set.ScriptServer;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Leases that a process keeps for a while after a release. Each method throws if the behaviour
 * differs.
 */
@SuppressWarnings("unused") // called by reflection
final class LingerStories {
  private static final Duration LINGER = Duration.ofSeconds(5);
  private static final Duration LEASE = Duration.ofSeconds(12);
  private static final int MANY = 10_050;
  private static final LockOptions OPTIONS = LockOptions.builder().automaticLease(LEASE).build();

  private static Lease acquire(Scene scene, SimClient client) {
    return attempt(scene, client).orElseThrow(() -> new AssertionError("not granted"));
  }

  private static Optional<Lease> attempt(Scene scene, SimClient client) {
    return scene.world.await(client.lock("a", OPTIONS).tryAcquireAsync(Duration.ZERO));
  }

  private static CompletableFuture<Lease> waiting(SimClient client) {
    return client.lock("a", OPTIONS).acquireAsync().toCompletableFuture();
  }

  private static void release(Scene scene, Lease lease) {
    scene.world.await(lease.releaseAsync());
  }

  /** Lets a client listen: its first lease is not kept. */
  private static SimClient listening(Scene scene, SimClient client) {
    release(scene, acquire(scene, client));
    scene.run(50);
    return client;
  }

  private static SimClient listening(Scene scene, String name) {
    return listening(scene, scene.lingeringClient(name, LINGER));
  }

  private static SimClient listeningOnAQuorum(Scene scene) {
    return listening(scene, scene.lingeringQuorumClient("c", LINGER));
  }

  /** Lets a client that listens keep a lease. */
  private static SimClient idle(Scene scene, SimClient client) {
    release(scene, acquire(scene, client));
    scene.run(20);
    check(scene.held("a") == scene.servers.size(), "not kept");
    return client;
  }

  private static SimClient idle(Scene scene) {
    return idle(scene, listening(scene, "c"));
  }

  private static SimClient idleOnAQuorum(Scene scene) {
    return idle(scene, listeningOnAQuorum(scene));
  }

  /** A client uses its idle lease twice, and then another client acquires. */
  private static void reuses(Scene scene, SimClient client, SimClient other) {
    long sent = scene.sent(Operation.ACQUIRE);
    Lease first = acquire(scene, client);
    release(scene, first);
    Lease second = acquire(scene, client);
    check(scene.sent(Operation.ACQUIRE) == sent, "a server was asked");
    check(second.fencingToken() > first.fencingToken(), "the same token for two");
    scene.run(10_000);
    boolean held = scene.held("a") == scene.servers.size();
    check(second.isValid() && held, "given back while it was held");
    release(scene, second);
    Lease third = acquire(scene, other);
    check(third.fencingToken() > second.fencingToken(), "a token that is not larger");
  }

  private static void isReleasedInTime(Scene scene) {
    scene.run(LINGER.toMillis() + 100);
    check(scene.held("a") == 0, "kept for longer");
  }

  private static void recalls(Scene scene, SimClient client, SimClient other) {
    Lease lease = acquire(scene, other);
    check(attempt(scene, client).isEmpty(), "two holders");
    release(scene, lease);
  }

  void idleLeaseIsReused() {
    Scene scene = new Scene(1);
    reuses(scene, idle(scene), scene.client("d"));
  }

  void numbersAreNeverUsedTwice() {
    Scene scene = new Scene(1);
    SimClient client = idle(scene);
    long sent = scene.sent(Operation.ACQUIRE);
    long last = 0;
    for (int i = 0; i < MANY; i++) {
      Lease lease = acquire(scene, client);
      check(lease.fencingToken() > last, "a token that is not larger");
      last = lease.fencingToken();
      release(scene, lease);
    }
    check(scene.sent(Operation.ACQUIRE) > sent, "more numbers than the server has reserved");
    check(acquire(scene, scene.client("d")).fencingToken() > last, "a number of two");
  }

  void idleLeaseIsReleasedInTime() {
    Scene scene = new Scene(1);
    idle(scene);
    isReleasedInTime(scene);
  }

  void anotherClientRecallsIt() {
    Scene scene = new Scene(1);
    recalls(scene, idle(scene), scene.client("d"));
  }

  void waiterRecallsIt() {
    Scene scene = new Scene(1);
    idle(scene);
    SimClient other = scene.client("d");
    CompletableFuture<Lease> lease = waiting(other);
    scene.run(50);
    check(lease.isDone(), "it waits for an unused lease");
  }

  void contendedLeaseIsNotKept() {
    Scene scene = new Scene(1);
    SimClient client = idle(scene);
    Lease held = acquire(scene, client);
    CompletableFuture<Lease> other = waiting(scene.client("d"));
    scene.run(100);
    release(scene, held);
    scene.run(10);
    check(other.isDone(), "kept, though another waits");
  }

  /** The others' recalls are for the lease before, so the grant itself has to say so. */
  void grantReportsOtherWaiters() {
    Scene scene = new Scene(1);
    SimClient client = listening(scene, "c");
    Lease first = acquire(scene, scene.client("b"));
    CompletableFuture<Lease> mine = waiting(client);
    scene.run(100);
    CompletableFuture<Lease> other = waiting(scene.client("d"));
    scene.run(100);
    release(scene, first);
    scene.run(10);
    check(mine.isDone() && !other.isDone(), "out of order: it is no test");
    release(scene, mine.join());
    scene.run(10);
    check(other.isDone(), "kept, though another waits");
  }

  void idleLeaseIsNotRenewed() {
    Scene scene = new Scene(1);
    idle(scene);
    long sent = scene.sent(Operation.RENEW);
    scene.run(4_900);
    check(scene.held("a") == 1, "given back too soon: it is no test");
    check(scene.sent(Operation.RENEW) == sent, "renewed");
  }

  void reusedLeaseIsRenewed() {
    Scene scene = new Scene(1);
    SimClient client = idle(scene);
    scene.run(4_500); // a renewal was due meanwhile
    Lease lease = acquire(scene, client);
    scene.run(60_000);
    check(lease.isValid() && scene.held("a") == 1, "not renewed");
  }

  void brokenSubscriptionReleasesIt() {
    Scene scene = new Scene(1);
    idle(scene);
    scene.servers.get(0).crash();
    scene.run(10);
    scene.servers.get(0).restart(ScriptServer.Data.KEPT);
    scene.run(1_000);
    check(scene.held("a") == 0, "kept, though recalls may have been missed");
  }

  // ---- scripts ----

  private static final LeaseKey RECALLABLE = new LeaseKey("a", "c:4~s9");

  private static Object asks(ScriptScene s, LeaseKey key, int numbers) {
    return s.send(
        s.store.acquire(
            new AcquireRequest(key, ScriptScene.LEASE, IfHeld.REFUSE).withHandOvers(numbers)));
  }

  void refusalNamesTheRecallableLease() {
    ScriptScene s = new ScriptScene();
    long left = -1 - ScriptScene.LEASE.toMillis();
    asks(s, RECALLABLE, 3);
    is(asks(s, ScriptScene.ONE, 0), List.of(left, RECALLABLE.token()));
    for (String other : List.of("c:5", "+" + RECALLABLE.token(), "-" + RECALLABLE.token())) {
      s.server.call("SET", ScriptScene.LOCK, other, "PX", "10000");
      is(asks(s, ScriptScene.ONE, 0), left);
    }
  }

  void scriptReportsWaitersOnGrant() {
    ScriptScene s = new ScriptScene();
    is(asks(s, RECALLABLE, 3), List.of(s.micros, 3L, 0L));
    s.server.call("DEL", ScriptScene.LOCK, ScriptScene.LOCK + ":fence");
    s.server.call("ZADD", ScriptScene.LOCK + ":wait", "1", "s1:c:2");
    is(asks(s, RECALLABLE, 3), List.of(s.micros, 3L, 1L));
    s.server.call("DEL", ScriptScene.LOCK, ScriptScene.LOCK + ":fence");
    is(asks(s, ScriptScene.ONE, 3), List.of(s.micros, 3L));
    s.server.call("DEL", ScriptScene.LOCK, ScriptScene.LOCK + ":fence");
    is(asks(s, RECALLABLE, 0), s.micros);
  }

  private static Object both(ScriptScene s) {
    List<AcquireRequest> requests =
        List.of(
            new AcquireRequest(ScriptScene.ONE, ScriptScene.LEASE, IfHeld.REFUSE),
            new AcquireRequest(new LeaseKey("b", "c:1"), ScriptScene.LEASE, IfHeld.REFUSE));
    return s.send(
        new TogetherScripts(Script.TOGETHER, KeySpace.WHOLE).acquire(requests, List.of()));
  }

  void refusalOfSeveralNamesTheRecallableLeases() {
    ScriptScene s = new ScriptScene();
    long left = -1 - ScriptScene.LEASE.toMillis();
    asks(s, RECALLABLE, 3);
    is(both(s), List.of(left, 0L, RECALLABLE.token(), ""));
    s.server.call("SET", "lh:{b}", "c:5", "PX", "10000");
    is(both(s), List.of(left, left, RECALLABLE.token(), ""));
    s.server.call("SET", ScriptScene.LOCK, "+" + RECALLABLE.token(), "PX", "10000");
    is(both(s), List.of(left, left));
  }

  void idleLeaseOfAQuorumIsReused() {
    Scene scene = new Scene(3);
    reuses(scene, idleOnAQuorum(scene), scene.quorumClient("d"));
  }

  void idleLeaseOfAQuorumIsReleasedInTime() {
    Scene scene = new Scene(3);
    idleOnAQuorum(scene);
    isReleasedInTime(scene);
  }

  void anotherClientRecallsItFromAQuorum() {
    Scene scene = new Scene(3);
    recalls(scene, idleOnAQuorum(scene), scene.quorumClient("d"));
  }

  /** A waiter's later rounds use other tokens than its first one. */
  void tokenOfALaterRoundIsRecalled() {
    Scene scene = new Scene(3);
    SimClient client = listeningOnAQuorum(scene);
    Lease before = acquire(scene, scene.quorumClient("d"));
    CompletableFuture<Lease> waits = waiting(client);
    scene.run(50);
    release(scene, before);
    scene.run(200);
    release(scene, waits.join());
    scene.run(20);
    check(scene.held("a") == 3, "not kept");
    release(scene, acquire(scene, scene.quorumClient("e")));
  }

  void leaseOfAQuorumThatOthersWaitForIsNotKept() {
    Scene scene = new Scene(3);
    SimClient client = listeningOnAQuorum(scene);
    Lease before = acquire(scene, scene.quorumClient("d"));
    CompletableFuture<Lease> waits = waiting(client);
    scene.run(50);
    CompletableFuture<Lease> next = waiting(scene.quorumClient("e"));
    scene.run(50);
    release(scene, before);
    scene.run(200);
    release(scene, waits.join());
    scene.run(200);
    check(next.isDone(), "kept, though another waits");
  }

  /** The first node, through which its lease is recalled, may be one that never granted it. */
  void recallPassesThroughANodeWithoutTheLease() {
    Scene scene = new Scene(3);
    idleOnAQuorum(scene);
    scene.at(0, "DEL", "lh:{a}");
    CompletableFuture<Lease> waits = waiting(scene.quorumClient("d"));
    scene.run(1500);
    check(waits.isDone(), "its recalls are not heard");
  }

  void recallReachesItWhileAMinorityOfTheNodesIsDown() {
    Scene scene = new Scene(3);
    idleOnAQuorum(scene);
    SimNode machine = scene.world.node("d");
    QuorumLeaseStore store = scene.quorum(machine);
    SimClient.open(machine, store, builder -> builder);
    LeaseKey lease = new LeaseKey("a", scene.at(0, "GET", "lh:{a}").toString());
    scene.servers.get(2).crash();
    CompletableFuture<?> sent = store.recall(lease).toCompletableFuture();
    scene.run(4000);
    check(sent.isDone() && !sent.isCompletedExceptionally(), "a recall that failed: " + sent);
  }

  /** The first node is the one through which its lease is recalled. */
  void lostNodeReleasesItsIdleLease() {
    Scene scene = new Scene(3);
    idleOnAQuorum(scene);
    scene.servers.get(0).crash();
    scene.run(200);
    boolean kept = scene.servers.stream().skip(1).anyMatch(server -> server.holds("a"));
    check(!kept, "kept, though no recall would be heard");
  }
}
