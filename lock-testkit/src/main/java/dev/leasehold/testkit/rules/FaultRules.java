package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Await;
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
import dev.leasehold.testkit.worker.Worker;
import dev.leasehold.testkit.worker.WorkerLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

final class FaultRules extends Steps {
  private static final Duration TIMEOUT = TimeScale.millis(250);
  private static final Duration LEASE = TimeScale.millis(400);

  private static final Duration LATE = TimeScale.seconds(5);

  // ---- FL-1 ----

  @Rule(
      value = "FL-1",
      shows = "a waiter repeats its request with the same token",
      needs = Need.STORE,
      timed = true)
  void askedAgain() throws Exception {
    Faults faults =
        new Faults()
            .next(Op.ACQUIRE, StoreFault.answerLost())
            .next(Op.ACQUIRE, StoreFault.answerBroken());
    LockManager manager = open(faults, b -> b.commandTimeout(TIMEOUT));
    Lease lease = manager.lock(name).acquire();
    List<String> tokens =
        faults.calls().stream().filter(c -> c.op() == Op.ACQUIRE).map(Call::token).toList();
    Check.equal(3, tokens.size(), "the number of asks");
    Check.equal(1L, tokens.stream().distinct().count(), "the number of tokens");
    boolean refused = lock().tryAcquire().isEmpty();
    Check.refused(refused, lease::isValid, "the lock is held once");
    lease.release();
    lock().tryAcquire().orElseThrow().release();
  }

  @Rule(
      value = "FL-1",
      shows = "a request that does not wait has its grant released",
      needs = Need.STORE,
      timed = true)
  void releasedBehind() throws Exception {
    for (StoreFault fault : List.of(StoreFault.answerLost(), StoreFault.answerBroken())) {
      nextName();
      Faults faults = new Faults().next(Op.ACQUIRE, fault);
      LockManager manager = open(faults, b -> b.commandTimeout(TIMEOUT));
      refused(manager, name);
      // Its lease of 30 s is on the store: only a release frees the lock this soon.
      lock().tryAcquire(LATE).orElseThrow().release();
    }
  }

  @Rule(
      value = "FL-1",
      shows = "the release is repeated until it is confirmed",
      needs = Need.STORE,
      timed = true)
  void releasedAgain() throws Exception {
    Faults faults =
        new Faults()
            .next(Op.ACQUIRE, StoreFault.answerLost())
            .next(Op.RELEASE, StoreFault.fails(Kind.UNREACHABLE, "the kit is in the way"))
            .next(Op.RELEASE, StoreFault.callLost());
    LockManager manager = open(faults, b -> b.commandTimeout(TIMEOUT));
    refused(manager, name);
    lock().tryAcquire(LATE).orElseThrow().release();
    Await.until("the release was confirmed at the third try", () -> faults.count(Op.RELEASE) == 3);
  }

  @Rule(value = "FL-1", shows = "a command that timed out is withdrawn", needs = Need.STORE)
  void withdrawn() throws Exception {
    Gate gate = new Gate();
    Faults faults = new Faults().next(Op.ACQUIRE, StoreFault.callHeld(gate));
    LockManager manager = open(faults, b -> b.commandTimeout(TIMEOUT));
    refused(manager, name);
    Await.until("it is released all the same", () -> faults.count(Op.RELEASE) == 1);
    Await.pass(TimeScale.millis(100)); // for the release's answer, which the kit cannot observe
    gate.open();
    taken(lock().tryAcquire(), "the lock is free after the command could have gone out");
  }

  @Rule(
      value = "FL-1",
      shows = "a server whose answers are lost",
      needs = {Need.REDIS, Need.VIEW},
      timed = true)
  void answersCutOff() throws Exception {
    CommandProxy proxy = proxy();
    LockManager manager = site().by(proxy.uri()).open(b -> b.commandTimeout(TIMEOUT));
    works(manager, name);
    // The server grants the lock, and the connection is cut before the answer.
    proxy.next(1, CommandMatch.any(), CommandFault.cutAfter());
    Lease lease = manager.lock(name).acquire();
    boolean refused = lock().tryAcquire().isEmpty();
    Check.refused(refused, lease::isValid, "the lock is held once");
    lease.release();
    Check.that(view().look(name).isEmpty(), "its one release frees it");
  }

  @Rule(
      value = "FL-1",
      shows = "a server that was stopped",
      needs = {Need.PAUSE, Need.VIEW})
  void stoppedServer() throws Exception {
    Site site = ownSite();
    LockManager manager = site.open(b -> b.commandTimeout(TIMEOUT));
    LockManager other = site.open();
    works(manager, name);
    site.server().pause();
    Check.equal(Kind.TIMED_OUT, refused(manager, name).kind(), "the kind of failure");
    site.server().resume();
    // The server processes what was waiting in its sockets before it answers this.
    works(other, freshName());
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
  void latePacket() throws Exception {
    atEachMoment("an attempt", this::isOverBeforeALatePacket);
  }

  private boolean isOverBeforeALatePacket(Moment moment) throws Exception {
    nextName();
    LockManager manager = moment.site().open(b -> b.commandTimeout(TIMEOUT));
    works(manager, freshName());
    Optional<Lease> taken;
    boolean hit;
    try (ActiveFault held = moment.once(CommandFault.holdRequest())) {
      taken = attempt(fixed(manager, name, LONG)::tryAcquire);
      hit = held.hits() > 0;
      if (hit) {
        Await.pass(TIMEOUT.multipliedBy(2)); // for releases over another connection
      }
    }
    if (!hit) {
      taken.orElseThrow().release();
      return true;
    }
    // The held command arrives now; a lock it takes is freed only by a release.
    Await.pass(TIMEOUT);
    taken.ifPresent(Lease::release); // a quorum may have granted it without the late node
    Await.until("the lock is free", () -> view().look(name).isEmpty());
    taken(lock(name).tryAcquire(), "others can have it");
    return false;
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
  void strayPacket() throws Exception {
    atEachMoment("an attempt", this::isOverBeforeAStrayPacket);
  }

  private boolean isOverBeforeAStrayPacket(Moment moment) throws Exception {
    nextName();
    LockManager manager = moment.site().open(b -> b.commandTimeout(TIMEOUT));
    works(manager, freshName());
    try (ActiveFault stray = moment.once(CommandFault.strayRequest())) {
      Optional<Lease> taken = attempt(() -> fixed(manager, name, LONG).tryAcquire(LATE));
      boolean hit = stray.hits() > 0;
      taken.ifPresent(FaultRules::releaseUnheard);
      Await.until("it is released", () -> view().look(name).isEmpty());
      if (!hit) {
        Check.that(taken.isPresent(), "an attempt without a fault has the lock");
        return true;
      }
      Await.pass(TIMEOUT); // for a release whose answer has no recipient
    }
    Await.pass(TIMEOUT); // it arrives now
    Await.until("the lock is free", () -> view().look(name).isEmpty());
    taken(lock(name).tryAcquire(), "others can have it");
    return false;
  }

  /** Releases a lease; if the store does not answer, the manager repeats the release. */
  private static void releaseUnheard(Lease lease) {
    try {
      lease.release();
    } catch (LockStoreException unanswered) {
      // the caller checks on the store whether the lock was released
    }
  }

  // ---- FL-3 ----

  @Rule(value = "FL-3", needs = Need.KILL, timed = true)
  void serverReturns() throws Exception {
    Site site = ownSite();
    LockManager manager = site.open(b -> b.commandTimeout(TIMEOUT));
    LockManager other = site.open(b -> b.storeTimeout(TimeScale.seconds(30)));
    works(manager, name);
    Lease lost = automatic(manager, name, LEASE).acquire();
    CompletableFuture<Lease> waiting = asking(other.lock(name));
    site.server().kill();
    Await.until("the lease is lost", () -> !lost.isValid());
    Check.fails(
        LockStoreException.class,
        "an attempt",
        () -> manager.lock(freshName()).tryAcquire(TIMEOUT));
    site.server().restart();
    Lease next = Await.value(waiting);
    CompletableFuture<Lease> woken =
        asking(manager.lock(name).as(LockOwner.unique("somebody new")));
    next.release();
    Await.value(woken).release();
  }

  // ---- FL-4 ----

  @Rule(value = "FL-4", shows = "a paused process", needs = Need.PROCESSES)
  void pausedHolderSees() throws Exception {
    Worker there = worker();
    LockManager here = open();
    untilOneCounts(() -> pausedHolderSees(there, here));
  }

  private boolean pausedHolderSees(Worker there, LockManager here) throws Exception {
    nextName();
    WorkerLease lease = there.acquire(name, renewed(LEASE));
    if (!lease.isValid()) {
      return false; // the worker's JVM stalled for that long
    }
    there.pause();
    Lease next = here.lock(name).tryAcquire(ended(LEASE).plus(LATE)).orElseThrow();
    there.resume();
    Check.that(!lease.isValid(), "the lease is invalid at the first look after the pause");
    Check.equal(Duration.ZERO, lease.remaining(), "what remains of it");
    next.release();
    return true;
  }

  /** Catches a validity flag set by a timer: the clock has advanced, but no timer has fired yet. */
  @Rule(value = "FL-4", shows = "before any timer could run")
  void clockWentOn() throws Exception {
    AtomicLong slept = new AtomicLong();
    LockManager manager = open(b -> b.ticker(() -> System.nanoTime() + slept.get()));
    Lease lease = automatic(manager, freshName(), LATE).acquire();
    Check.that(lease.isValid(), "the lease is valid");
    slept.set(LATE.toNanos());
    Check.that(!lease.isValid(), "the lease is invalid at the first look");
    Check.equal(Duration.ZERO, lease.remaining(), "what remains of it");
    Check.fails(LeaseLostException.class, "ensureValid", lease::ensureValid);
    Check.fails(LeaseLostException.class, "its release", lease::release);
  }

  // ---- FL-5 ----

  @Rule(value = "FL-5", needs = Need.OPTIONS)
  void failover() throws Exception {
    Site primary = ownSite();
    Site replica = ownSite();
    LockManager before = primary.open();
    works(before, name);
    replica.redis().replicaOf(primary.redis());
    Await.until("the replica is in step", () -> isInSync(replica.redis()));
    // Replication is cut by a wrong address, so that what follows is certainly lost.
    replica.redis().call("REPLICAOF", "127.0.0.1", "1");
    Lease stale = before.lock(name).acquire();
    replica.redis().call("REPLICAOF", "NO", "ONE");
    LockManager after = replica.open();
    Optional<Lease> second = after.lock(name).tryAcquire();
    if (promises(Guarantee.FAILOVER_SAFE)) {
      Check.that(second.isEmpty(), "no failover loses a lock");
    } else {
      Check.that(second.isPresent(), "the new primary knows nothing of the lock");
    }
    if (second.isPresent() && promises(Guarantee.FENCING)) {
      FencedResource resource = FencedResource.fenced();
      resource.write(second.get().fencingToken());
      Check.equal(
          Outcome.REJECTED, resource.write(stale.fencingToken()), "the stale holder's write");
    }
    second.ifPresent(Lease::release);
    stale.release();
  }
}
