package dev.leasehold.redlock;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The required behaviour of the engine on a server with the production scripts: kills the engine's
 * mutants. Each method throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class EngineStories extends Scene {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration ALLOWANCE = Duration.ofMillis(102);
  private static final Duration SLOW = Duration.ofMillis(400);
  private static final LockOptions FIXED = LockOptions.fixed(LEASE);

  EngineStories() {
    super(1);
  }

  private Lease acquire(SimClient client, LockOptions options) {
    return acquire(this, client, options);
  }

  private static Lease acquire(Scene scene, SimClient client, LockOptions options) {
    return scene
        .world
        .await(client.lock("a", options).tryAcquireAsync(Duration.ZERO))
        .orElseThrow(() -> new AssertionError("not granted"));
  }

  void deadlineIsReducedByTheDrift() {
    Lease lease = acquire(client("c"), FIXED);
    Duration most = LEASE.minus(ALLOWANCE);
    check(lease.remaining().compareTo(most) <= 0, "believes in " + lease.remaining());
  }

  void deadlineCountsFromBeforeTheRequest() {
    client("warm"); // loads the script
    acquire(client("w"), FIXED).releaseAsync();
    run(10);
    plan = call -> Fate.after(SLOW);
    Lease lease = acquire(client("c"), FIXED);
    Duration most = LEASE.minus(ALLOWANCE).minus(SLOW.multipliedBy(2));
    check(lease.remaining().compareTo(most) <= 0, "believes in " + lease.remaining());
  }

  void renewalCountsFromBeforeTheRequest() {
    Lease lease = acquire(client("c"), LockOptions.builder().automaticLease(LEASE).build());
    plan = call -> Fate.after(SLOW);
    for (int i = 0; i < 900; i++) {
      run(20);
      long onServer = (Long) at(0, "PTTL", "lh:{a}");
      check(
          lease.remaining().toMillis() <= onServer,
          "believes in " + lease.remaining() + ", and the server in " + onServer + " ms");
    }
    check(lease.isValid(), "not renewed: it is no test");
  }

  void unrenewedLeaseIsLost() {
    Lease lease =
        acquire(client("c"), LockOptions.builder().automaticLease(Duration.ofSeconds(3)).build());
    CompletableFuture<?> lost = lease.lost().toCompletableFuture();
    servers.get(0).crash();
    run(3_000);
    check(!lease.isValid(), "valid, and no server has confirmed it");
    check(lost.isDone(), "no loss was signalled");
  }

  void renewalKeepsTheLease() {
    Lease lease =
        acquire(client("c"), LockOptions.builder().automaticLease(Duration.ofSeconds(3)).build());
    run(30_000);
    check(lease.isValid() && held("a") == 1, "lost without a fault");
  }

  void stolenLeaseIsLost() {
    Lease lease =
        acquire(client("c"), LockOptions.builder().automaticLease(Duration.ofSeconds(9)).build());
    at(0, "SET", "lh:{a}", "x:another", "PX", "60000");
    run(4_500);
    check(!lease.isValid(), "the next renewal was refused, and it is valid");
    run(10_000);
    check(at(0, "GET", "lh:{a}").equals("x:another"), "the other's was touched");
  }

  /** A lease that was passed on once, with numbers for more, and the waiter that comes next. */
  private record PassedOn(
      Scene scene, SimClient client, Lease lease, CompletableFuture<Lease> next) {
    static PassedOn with(LockOptions options) {
      Scene scene = new Scene(1);
      SimClient client = scene.client("c");
      Lease first = acquire(scene, client, options);
      CompletableFuture<Lease> second =
          client.lock("a", options).acquireAsync().toCompletableFuture();
      CompletableFuture<Lease> next =
          client.lock("a", options).acquireAsync().toCompletableFuture();
      first.releaseAsync();
      scene.run(50);
      check(second.isDone() && !next.isDone(), "it has no holder, or two");
      return new PassedOn(scene, client, second.join(), next);
    }
  }

  void handOverIncreasesTheToken() {
    PassedOn passed =
        PassedOn.with(
            LockOptions.builder()
                .automaticLease(LEASE)
                .handOver(new HandOver(5, Duration.ofSeconds(5)))
                .build());
    long sent = passed.scene.sent(Operation.ACQUIRE);
    passed.lease.releaseAsync();
    passed.scene.run(50);
    check(passed.next.isDone(), "not handed over");
    check(passed.scene.sent(Operation.ACQUIRE) == sent, "the store was asked");
    check(passed.next.join().fencingToken() > passed.lease.fencingToken(), "one token for two");
  }

  void grantReservesTokens() {
    SimClient client = client("c");
    Lease first = acquire(client, FIXED);
    CompletableFuture<Lease> next = client.lock("a", FIXED).acquireAsync().toCompletableFuture();
    long sent = sent(Operation.ACQUIRE);
    first.releaseAsync();
    run(50);
    check(next.isDone(), "not granted");
    check(sent(Operation.ACQUIRE) > sent, "a token that was not set aside");
  }

  void abandonedGrantIsReleased() {
    SimClient client = client("c");
    CompletableFuture<Lease> stage = client.lock("a", FIXED).acquireAsync().toCompletableFuture();
    run(1); // the request is in flight
    stage.cancel(false);
    run(500);
    check(sent(Operation.ACQUIRE) > 0, "never asked");
    check(held("a") == 0, "granted to a waiter that had left");
  }

  void unansweredRequestIsReleased() {
    acquire(client("w"), FIXED).releaseAsync();
    run(10);
    plan = call -> call.operation() == Operation.ACQUIRE ? Fate.replyLost(WAY) : Fate.after(WAY);
    CompletableFuture<Optional<Lease>> stage =
        client("c")
            .lock("a", LockOptions.fixed(Duration.ofSeconds(39)))
            .tryAcquireAsync(Duration.ZERO)
            .toCompletableFuture();
    run(12_000);
    check(stage.isCompletedExceptionally(), "answered: " + stage);
    check(held("a") == 0, "it is held without a holder");
  }

  /** Its first request is in flight for that long, and its connection breaks. */
  private void losesItsFirstQuestion(Duration onItsWay) {
    int[] asked = new int[1];
    plan =
        call ->
            call.operation() == Operation.ACQUIRE && asked[0]++ == 0
                ? Fate.cutAfter(onItsWay, Duration.ofMillis(5))
                : Fate.after(WAY);
  }

  void requestThatOutlivesItsConnectionAcquiresNothing() {
    SimClient client = client("c");
    for (int i = 0; i < 2; i++) { // in the first round its name has no fence yet
      losesItsFirstQuestion(Duration.ofSeconds(3));
      CompletableFuture<Lease> stage = client.lock("a", FIXED).acquireAsync().toCompletableFuture();
      run(1_000);
      stage.join().releaseAsync();
      run(1_000);
      acquire(client("d" + i), FIXED).releaseAsync();
      run(1_500);
      check(held("a") == 0, "taken without a holder, by a late request");
    }
  }

  void requestThatOutlivesARefusalAcquiresNothing() {
    Lease held = acquire(client("holder"), FIXED);
    SimClient client = client("c");
    losesItsFirstQuestion(Duration.ofSeconds(3));
    client.lock("a", FIXED).tryAcquireAsync(Duration.ofMillis(500));
    run(1_000);
    held.releaseAsync();
    run(2_500);
    check(held("a") == 0, "taken without a holder, by a late request");
  }

  void abandonedWaiterLeavesTheQueue() {
    acquire(client("holder"), FIXED);
    CompletableFuture<Lease> stage =
        client("c").lock("a", FIXED).acquireAsync().toCompletableFuture();
    run(200);
    check(servers.get(0).waiters("a") == 1, "not in line");
    stage.cancel(false);
    run(200);
    check(servers.get(0).waiters("a") == 0, "still in line");
  }

  void releaseWakesAWaiter() {
    Lease lease = acquire(client("holder"), FIXED);
    CompletableFuture<Lease> stage =
        client("c").lock("a", FIXED).acquireAsync().toCompletableFuture();
    run(200);
    lease.releaseAsync();
    run(30);
    check(stage.isDone(), "not woken");
  }

  /** For a quorum, whose own check may be removed; the process pauses during the request. */
  void expiredGrantIsNotUsed() {
    for (long afterMicros : new long[] {1_500, 2_500}) {
      Scene scene = new Scene(3);
      SimClient first = scene.quorumClient("c");
      acquire(scene, first, FIXED).releaseAsync();
      scene.run(100);
      // During the first round, or while differing votes are written back: those come from a client
      // that knows no fence yet.
      SimClient client = afterMicros < 2_000 ? first : scene.quorumClient("d");
      CompletableFuture<Optional<Lease>> stage =
          client
              .lock("b", LockOptions.fixed(Duration.ofMillis(50)))
              .tryAcquireAsync(Duration.ZERO)
              .toCompletableFuture();
      boolean[] over = new boolean[1];
      stage.thenAccept(lease -> over[0] = lease.isPresent() && !lease.get().isValid());
      scene.world.run(Duration.ofNanos(afterMicros * 1000));
      client.node().pause(Duration.ofMillis(100));
      scene.run(2_000);
      check(!over[0], "granted, and over");
    }
  }

  /** The process pauses while a lease is renewed for the next waiter. */
  void lateRenewalPassesNothingOn() {
    PassedOn passed =
        PassedOn.with(
            LockOptions.builder()
                .fixedLease(LEASE)
                .handOver(new HandOver(5, Duration.ofMinutes(1)))
                .build());
    Scene scene = passed.scene;
    scene.run(passed.lease.remaining().toMillis() - 50);
    long asked = scene.sent(Operation.ACQUIRE);
    long renewals = scene.sent(Operation.RENEW);
    passed.lease.releaseAsync();
    check(
        scene.world.runUntil(() -> scene.sent(Operation.RENEW) > renewals, Duration.ofMillis(40)),
        "not renewed: it is no test");
    passed.client.node().pause(Duration.ofMillis(60));
    scene.run(200);
    check(passed.next.isDone() && scene.sent(Operation.ACQUIRE) > asked, "the lease was passed on");
  }

  /** For a quorum, whose own check may be removed; the process pauses during the renewal. */
  void expiredLeaseIsNotRevived() {
    Scene scene = new Scene(3);
    SimClient client = scene.quorumClient("c");
    Lease lease = acquire(scene, client, LockOptions.builder().automaticLease(LEASE).build());
    CompletableFuture<?> lost = lease.lost().toCompletableFuture();
    // The first renewal's messages load the scripts; with these, the next one is in flight.
    long renewals = scene.sent(Operation.RENEW) + 7;
    check(
        scene.world.runUntil(() -> scene.sent(Operation.RENEW) >= renewals, Duration.ofSeconds(9)),
        "not renewed: it is no test");
    client.node().pause(Duration.ofSeconds(15));
    scene.run(15_100);
    check(!lease.isValid() && lost.isDone(), "revived");
  }
}
