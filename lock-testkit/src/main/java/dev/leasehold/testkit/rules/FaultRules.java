package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Faults.Call;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.history.FencedResource;
import dev.leasehold.testkit.history.FencedResource.Outcome;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.CommandProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.worker.Worker;
import dev.leasehold.testkit.worker.WorkerLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

final class FaultRules {
  private static final Duration TIMEOUT = TimeScale.millis(250);
  private static final Duration LEASE = TimeScale.millis(400);

  /** So long that no expiry can stand in for a release. */
  private static final Duration LONG = TimeScale.seconds(120);

  private static final Duration SLACK = TimeScale.seconds(5);

  static LockStoreException refused(LockManager manager, String name) {
    return Check.fails(
        LockStoreException.class, "an attempt", () -> manager.lock(name).tryAcquire());
  }

  static void works(LockManager manager, String name) {
    Await.until("locking works again", () -> works(manager.lock(name)));
  }

  private static boolean works(DistributedLock lock) {
    try {
      Optional<Lease> lease = lock.tryAcquire();
      lease.ifPresent(Lease::release);
      return lease.isPresent();
    } catch (LockStoreException notYet) {
      return false;
    }
  }

  // ---- FL-1 ----

  @Rule(
      value = "FL-1",
      shows = "a waiter repeats its request with the same token",
      needs = Need.STORE,
      timed = true)
  void askedAgain(Bench bench) throws Exception {
    String name = bench.name();
    Faults faults =
        new Faults()
            .next(Op.ACQUIRE, StoreFault.answerLost())
            .next(Op.ACQUIRE, StoreFault.answerBroken());
    LockManager manager = bench.site().open(faults, b -> b.commandTimeout(TIMEOUT));
    Lease lease = manager.lock(name).acquire();
    List<String> tokens =
        faults.calls().stream().filter(c -> c.op() == Op.ACQUIRE).map(Call::token).toList();
    Check.equal(3, tokens.size(), "the number of asks");
    Check.equal(1L, tokens.stream().distinct().count(), "the number of tokens");
    boolean refused = bench.site().open().lock(name).tryAcquire().isEmpty();
    Check.refused(refused, lease::isValid, "the lock is held once");
    lease.release();
    bench.site().open().lock(name).tryAcquire().orElseThrow().release();
  }

  @Rule(
      value = "FL-1",
      shows = "a request that does not wait has its grant released",
      needs = Need.STORE,
      timed = true)
  void releasedBehind(Bench bench) throws Exception {
    for (StoreFault fault : List.of(StoreFault.answerLost(), StoreFault.answerBroken())) {
      String name = bench.name();
      Faults faults = new Faults().next(Op.ACQUIRE, fault);
      LockManager manager = bench.site().open(faults, b -> b.commandTimeout(TIMEOUT));
      refused(manager, name);
      // Its lease of 30 s is on the store: only a release frees the lock this soon.
      bench.site().open().lock(name).tryAcquire(SLACK).orElseThrow().release();
    }
  }

  @Rule(
      value = "FL-1",
      shows = "the release is repeated until it is confirmed",
      needs = Need.STORE,
      timed = true)
  void releasedAgain(Bench bench) throws Exception {
    String name = bench.name();
    Faults faults =
        new Faults()
            .next(Op.ACQUIRE, StoreFault.answerLost())
            .next(Op.RELEASE, StoreFault.fails(Kind.UNREACHABLE, "the kit is in the way"))
            .next(Op.RELEASE, StoreFault.callLost());
    LockManager manager = bench.site().open(faults, b -> b.commandTimeout(TIMEOUT));
    refused(manager, name);
    bench.site().open().lock(name).tryAcquire(SLACK).orElseThrow().release();
    Await.until("the release was confirmed at the third try", () -> faults.count(Op.RELEASE) == 3);
  }

  @Rule(value = "FL-1", shows = "a command that timed out is withdrawn", needs = Need.STORE)
  void withdrawn(Bench bench) throws Exception {
    String name = bench.name();
    Gate gate = new Gate();
    Faults faults = new Faults().next(Op.ACQUIRE, StoreFault.callHeld(gate));
    LockManager manager = bench.site().open(faults, b -> b.commandTimeout(TIMEOUT));
    refused(manager, name);
    Await.until("it is released all the same", () -> faults.count(Op.RELEASE) == 1);
    Await.pass(TimeScale.millis(100)); // for the release's answer, which the kit cannot observe
    gate.open();
    Optional<Lease> other = bench.site().open().lock(name).tryAcquire();
    Check.that(other.isPresent(), "the lock is free after the command could have gone out");
    other.ifPresent(Lease::release);
  }

  @Rule(
      value = "FL-1",
      shows = "a server whose answers are lost",
      needs = {Need.REDIS, Need.VIEW},
      timed = true)
  void answersCutOff(Bench bench) throws Exception {
    String name = bench.name();
    CommandProxy proxy = bench.proxy(bench.site());
    LockManager manager = bench.site().by(proxy.uri()).open(b -> b.commandTimeout(TIMEOUT));
    works(manager, name);
    // The server grants the lock, and the connection is cut before the answer.
    proxy.next(1, CommandMatch.any(), CommandFault.cutAfter());
    Lease lease = manager.lock(name).acquire();
    boolean refused = bench.site().open().lock(name).tryAcquire().isEmpty();
    Check.refused(refused, lease::isValid, "the lock is held once");
    lease.release();
    Check.that(bench.site().view().look(name).isEmpty(), "its one release frees it");
  }

  @Rule(
      value = "FL-1",
      shows = "a server that was stopped",
      needs = {Need.PAUSE, Need.VIEW})
  void stoppedServer(Bench bench) throws Exception {
    Site site = bench.ownSite();
    String name = bench.name();
    LockManager manager = site.open(b -> b.commandTimeout(TIMEOUT));
    LockManager other = site.open();
    works(manager, name);
    site.server().pause();
    Check.equal(Kind.TIMED_OUT, refused(manager, name).kind(), "the kind of failure");
    site.server().resume();
    // The server processes what was waiting in its sockets before it answers this.
    works(other, bench.name());
    Await.until("the lock is free", () -> site.view().look(name).isEmpty());
    Await.pass(TIMEOUT);
    Check.that(site.view().look(name).isEmpty(), "no late request takes it");
    Check.that(other.lock(name).tryAcquire().isPresent(), "others can have it");
  }

  /**
   * Each command of an attempt in turn is held back in the network and given up by the client; it
   * arrives when everything else is over, even after a release that the server confirmed, where the
   * client sends releases over another connection.
   */
  @Rule(
      value = "FL-1",
      shows = "a packet that arrives late",
      needs = {Need.REDIS, Need.VIEW})
  void latePacket(Bench bench) throws Exception {
    for (int sent = 0; sent < Steps.MOST; sent++) {
      String name = bench.name();
      Steps steps = new Steps(bench);
      LockManager manager = steps.site().open(b -> b.commandTimeout(TIMEOUT));
      works(manager, bench.name());
      Optional<Lease> taken;
      boolean hit;
      try (ActiveFault held = steps.only(sent, CommandFault.holdRequest())) {
        taken = Answers.attempt(bench.fixed(manager, name, LONG));
        hit = held.hits() > 0;
        if (hit) {
          Await.pass(TIMEOUT.multipliedBy(2)); // for releases over another connection
        }
      }
      if (!hit) {
        Check.that(sent > 0, "an attempt sends something");
        taken.orElseThrow().release();
        return;
      }
      // The held command arrives now; a lock it takes is freed only by a release.
      Await.pass(TIMEOUT);
      taken.ifPresent(Lease::release); // a quorum may have granted it without the late node
      Await.until("the lock is free", () -> bench.site().view().look(name).isEmpty());
      Optional<Lease> other = bench.site().open().lock(name).tryAcquire();
      Check.that(other.isPresent(), "others can have it");
      other.ifPresent(Lease::release);
    }
    throw new AssertionError("an attempt sends more than " + Steps.MOST + " commands");
  }

  /**
   * As {@link #latePacket}, but the client sees its connection fail: it reconnects, is granted the
   * lock by a second request with the same token, and releases it, or gives up. What was sent over
   * the first connection arrives when everything else is over.
   */
  @Rule(
      value = "FL-1",
      shows = "a packet that outlives its connection",
      needs = {Need.REDIS, Need.VIEW})
  void strayPacket(Bench bench) throws Exception {
    for (int sent = 0; sent < Steps.MOST; sent++) {
      String name = bench.name();
      Steps steps = new Steps(bench);
      LockManager manager = steps.site().open(b -> b.commandTimeout(TIMEOUT));
      works(manager, bench.name());
      Optional<Lease> taken;
      boolean hit;
      try (ActiveFault stray = steps.only(sent, CommandFault.strayRequest())) {
        taken = Answers.attempt(bench.fixed(manager, name, LONG), SLACK);
        hit = stray.hits() > 0;
        taken.ifPresent(Answers::release);
        Await.until("it is released", () -> bench.site().view().look(name).isEmpty());
        if (hit) {
          Await.pass(TIMEOUT); // for a release whose answer has no recipient
        }
      }
      if (!hit) {
        Check.that(sent > 0, "an attempt sends something");
        Check.that(taken.isPresent(), "an attempt without a fault has the lock");
        return;
      }
      Await.pass(TIMEOUT); // it arrives now
      Await.until("the lock is free", () -> bench.site().view().look(name).isEmpty());
      Optional<Lease> other = bench.site().open().lock(name).tryAcquire();
      Check.that(other.isPresent(), "others can have it");
      other.ifPresent(Lease::release);
    }
    throw new AssertionError("an attempt sends more than " + Steps.MOST + " commands");
  }

  // ---- FL-3 ----

  @Rule(value = "FL-3", needs = Need.KILL, timed = true)
  void serverReturns(Bench bench) throws Exception {
    Site site = bench.ownSite();
    String name = bench.name();
    LockManager manager = site.open(b -> b.commandTimeout(TIMEOUT));
    LockManager other = site.open(b -> b.storeTimeout(TimeScale.seconds(30)));
    works(manager, name);
    Lease lost = bench.automatic(manager, name, LEASE).acquire();
    CompletableFuture<Lease> waiting = other.lock(name).acquireAsync().toCompletableFuture();
    site.server().kill();
    Await.until("the lease is lost", () -> !lost.isValid());
    Check.fails(
        LockStoreException.class,
        "an attempt",
        () -> manager.lock(bench.name()).tryAcquire(TIMEOUT));
    site.server().restart();
    Lease next = Await.value(waiting);
    CompletableFuture<Lease> woken =
        manager.lock(name).as(owner()).acquireAsync().toCompletableFuture();
    next.release();
    Await.value(woken).release();
  }

  private static dev.leasehold.lock.LockOwner owner() {
    return dev.leasehold.lock.LockOwner.named("somebody new");
  }

  // ---- FL-4 ----

  @Rule(value = "FL-4", shows = "a paused process", needs = Need.PROCESSES)
  void pausedHolderSees(Bench bench) throws Exception {
    Worker there = bench.site().worker();
    LockManager here = bench.site().open();
    Rounds.untilOneCounts(() -> pausedHolderSees(bench, there, here));
  }

  private static boolean pausedHolderSees(Bench bench, Worker there, LockManager here)
      throws Exception {
    String name = bench.name();
    WorkerLease lease = there.acquire(name, LockOptions.builder().automaticLease(LEASE).build());
    if (!lease.isValid()) {
      return false; // the worker's JVM stalled for that long
    }
    there.pause();
    Lease next = here.lock(name).tryAcquire(bench.ended(LEASE).plus(SLACK)).orElseThrow();
    there.resume();
    Check.that(!lease.isValid(), "the lease is invalid at the first look after the pause");
    Check.equal(Duration.ZERO, lease.remaining(), "what remains of it");
    next.release();
    return true;
  }

  /** Catches a validity flag set by a timer: the clock has advanced, but no timer has fired yet. */
  @Rule(value = "FL-4", shows = "before any timer could run")
  void clockWentOn(Bench bench) throws Exception {
    AtomicLong slept = new AtomicLong();
    LockManager manager = bench.site().open(b -> b.ticker(() -> System.nanoTime() + slept.get()));
    Lease lease = bench.automatic(manager, bench.name(), SLACK).acquire();
    Check.that(lease.isValid(), "the lease is valid");
    slept.set(SLACK.toNanos());
    Check.that(!lease.isValid(), "the lease is invalid at the first look");
    Check.equal(Duration.ZERO, lease.remaining(), "what remains of it");
    Check.fails(LeaseLostException.class, "ensureValid", lease::ensureValid);
    Check.fails(LeaseLostException.class, "its release", lease::release);
  }

  // ---- FL-5 ----

  @Rule(value = "FL-5", needs = Need.OPTIONS)
  void failover(Bench bench) throws Exception {
    Site primary = bench.ownSite();
    Site replica = bench.ownSite();
    String name = bench.name();
    LockManager before = primary.open();
    works(before, name);
    replica.redis().replicaOf(primary.redis());
    Await.until("the replica is in step", () -> linkIsUp(replica.redis()));
    // Replication is cut by a wrong address, so that what follows is certainly lost.
    replica.redis().call("REPLICAOF", "127.0.0.1", "1");
    Lease stale = before.lock(name).acquire();
    replica.redis().call("REPLICAOF", "NO", "ONE");
    LockManager after = replica.open();
    Optional<Lease> second = after.lock(name).tryAcquire();
    if (bench.guarantees().contains(Guarantee.FAILOVER_SAFE)) {
      Check.that(second.isEmpty(), "no failover loses a lock");
    } else {
      Check.that(second.isPresent(), "the new primary knows nothing of the lock");
    }
    if (second.isPresent() && bench.guarantees().contains(Guarantee.FENCING)) {
      FencedResource resource = FencedResource.fenced();
      resource.write(second.get().fencingToken());
      Check.equal(
          Outcome.REJECTED, resource.write(stale.fencingToken()), "the stale holder's write");
    }
    second.ifPresent(Lease::release);
    stale.release();
  }

  private static boolean linkIsUp(RedisServer server) {
    return server
        .call("INFO", "replication")
        .filter(info -> info.toString().contains("master_link_status:up"))
        .isPresent();
  }
}
