package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.RenewResult;
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
import dev.leasehold.testkit.worker.Worker;
import dev.leasehold.testkit.worker.WorkerLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

final class RenewalRules extends Steps {
  private static final Duration LEASE = TimeScale.millis(600);
  private static final Duration BRIEF = TimeScale.millis(250);
  private static final int MANY = 40;

  /** Factor for leases of processes that a busy machine may starve for a whole lease. */
  private static final int LONGER = 3;

  // ---- RN-1 ----

  // Many leases, so that an engine that renews them one after another is too late for the last.
  @Rule(value = "RN-1", timed = true)
  void longSections() throws Exception {
    Duration length = TimeScale.millis(1600);
    LockManager manager = open();
    DistributedLock rival = lock();
    Lease lease = automatic(manager, name, length).acquire();
    List<Lease> others =
        Stream.generate(() -> Await.value(asking(automatic(manager, freshName(), length))))
            .limit(MANY)
            .toList();
    long begun = System.nanoTime();
    while (since(begun).compareTo(length.multipliedBy(3)) < 0) {
      Check.refused(
          rival.tryAcquire().isEmpty(), lease::isValid, "another is refused all the time");
      Check.that(lease.isValid(), "the lease is valid all the time; lost: " + loss(lease));
      Await.pass(Duration.ofMillis(10));
    }
    for (Lease other : others) {
      Check.that(other.isValid(), "each of many leases is valid");
      other.release();
    }
    lease.release();
    Check.that(rival.tryAcquire(SLACK).isPresent(), "the lock is free in the end");
  }

  private static String loss(Lease lease) {
    return String.valueOf(lease.lost().toCompletableFuture().getNow(null));
  }

  // ---- RN-2 ----

  @Rule(value = "RN-2", shows = "a lease that expired, and a successor's", needs = Need.STORE)
  void onlyItsOwn() {
    LeaseStore store = store();
    LeaseKey expired = key(name);
    LeaseKey successor = key(name);
    LeaseKey third = key(name);
    hold(store, expired, BRIEF);
    Await.pass(ended(BRIEF).plusMillis(20));
    checkRenewal(RenewResult.NOT_OWNER, store, expired, LONG, "of a lease that expired");
    hold(store, successor, BRIEF);
    checkRenewal(RenewResult.NOT_OWNER, store, expired, LONG, "while a successor holds it");
    Await.until(
        "the successor's lease ends at its time",
        ended(BRIEF).plus(SLACK),
        () -> ask(store, third, LONG) instanceof AcquireResult.Granted);
    checkRenewal(RenewResult.RENEWED, store, third, LONG, "by the holder");
    Await.value(store.release(third));
  }

  // Catches an unconditional PEXPIRE of the owner's lock: a late renewal then undoes an extension.
  @Rule(value = "RN-2", shows = "a lease that lasts longer", needs = Need.STORE, timed = true)
  void neverShortens() throws Exception {
    LeaseStore store = store();
    LeaseKey key = key(freshName());
    hold(store, key, LONG);
    checkRenewal(RenewResult.RENEWED, store, key, BRIEF, "for a shorter time");
    Faults faults = new Faults();
    DistributedLock rival = lock();
    Duration length = BRIEF.multipliedBy(2);
    Lease lease = automatic(open(faults), name, length).acquire();
    Check.that(lease.extend(LONG), "the lease is extended");
    int before = faults.count(Op.RENEW);
    Await.until("it is renewed twice more", () -> faults.count(Op.RENEW) >= before + 2);
    faults.every(Op.RENEW, StoreFault.fails(Kind.UNREACHABLE, "the kit says no"));
    Await.pass(length.plus(BRIEF));
    Check.that(lease.isValid(), "an extended lease is valid after a shorter renewal");
    Check.atLeast(LONG.dividedBy(2), lease.remaining(), "what remains of it");
    Check.refused(
        rival.tryAcquire().isEmpty(), lease::isValid, "the store still has the extended lease");
    AcquireResult other = ask(store, key(key.name()), BRIEF);
    Check.that(other instanceof AcquireResult.Held, "a long lease outlasts a short renewal");
    lease.release();
    Await.value(store.release(key));
  }

  private static void checkRenewal(
      RenewResult expected, LeaseStore store, LeaseKey key, Duration ttl, String when) {
    Check.equal(expected, renew(store, key, ttl), "the answer to a renewal " + when);
  }

  // ---- RN-3 ----

  @Rule(value = "RN-3", needs = Need.STORE, timed = true)
  void deadlineStays() throws Exception {
    Map<String, StoreFault> troubles =
        Map.of(
            "fails", StoreFault.fails(Kind.UNAVAILABLE, "the kit says no"),
            "is lost", StoreFault.callLost(),
            "is done and not answered", StoreFault.answerLost(),
            "is done, and the connection breaks", StoreFault.answerBroken());
    List<CompletableFuture<Void>> all = new ArrayList<>();
    troubles.forEach(
        (what, fault) -> {
          Faults faults = new Faults().every(Op.RENEW, fault);
          LockManager manager = open(faults, b -> b.commandTimeout(LONG));
          DistributedLock lock = automatic(manager, freshName(), LEASE);
          all.add(beside(() -> checkDeadlineStays(lock, faults, what)));
        });
    all.forEach(Await::value);
  }

  private static void checkDeadlineStays(DistributedLock lock, Faults faults, String what)
      throws Exception {
    Lease lease = lock.acquire();
    Duration left = lease.remaining();
    long deadline = System.nanoTime() + left.toNanos(); // or slightly before it
    for (boolean valid = true; valid; ) {
      long now = System.nanoTime();
      Duration moved = Duration.ofNanos(now + lease.remaining().toNanos() - deadline);
      valid = lease.isValid();
      if (valid) {
        Check.safe(
            moved.compareTo(Duration.ZERO) <= 0,
            "a renewal that " + what + " did not move the deadline, by " + moved);
      }
      Await.pass(Duration.ofMillis(2));
    }
    Check.that(faults.count(Op.RENEW) >= 1, "a renewal was tried");
    LeaseLoss loss = Await.value(lease.lost());
    Check.equal(Reason.EXPIRED, loss.reason(), "the reason of the loss, if each renewal " + what);
  }

  // ---- RN-4 ----

  @Rule(
      value = "RN-4",
      shows = "calls that fail or are not answered",
      needs = Need.STORE,
      timed = true)
  void survivesFailures() throws Exception {
    StoreFault no = StoreFault.fails(Kind.UNREACHABLE, "the kit says no");
    Map<String, Faults> troubles =
        Map.of(
            "two that fail", new Faults().next(Op.RENEW, no).next(Op.RENEW, no),
            "one that is lost", new Faults().next(Op.RENEW, StoreFault.callLost()),
            "one without an answer", new Faults().next(Op.RENEW, StoreFault.answerLost()),
            "one that is cut off", new Faults().next(Op.RENEW, StoreFault.answerBroken()));
    Map<String, Lease> leases = new TreeMap<>();
    Duration lease = TimeScale.millis(1500); // survives a stall of the machine
    for (var trouble : troubles.entrySet()) {
      // With a time-out longer than the lease, an engine that waits for it is too late.
      LockManager manager = open(trouble.getValue(), b -> b.commandTimeout(LONG));
      leases.put(trouble.getKey(), automatic(manager, freshName(), lease).acquire());
    }
    Await.pass(lease.plus(lease.dividedBy(2)));
    LockManager other = open();
    leases.forEach(
        (what, held) -> {
          Check.that(held.isValid(), "the lease survives renewals, " + what);
          Check.refused(
              other.lock(held.lockName()).tryAcquire().isEmpty(),
              held::isValid,
              "the lock survives renewals, " + what);
          held.release();
        });
  }

  @Rule(value = "RN-4", shows = "the server hangs for a while", needs = Need.PAUSE, timed = true)
  void survivesPause() throws Exception {
    Site site = ownSite();
    LockManager manager = site.open();
    LockManager other = site.open();
    untilOneCounts(() -> survivesPause(site, manager, other));
  }

  private boolean survivesPause(Site site, LockManager manager, LockManager other)
      throws Exception {
    Duration lease = TimeScale.millis(1800); // survives a stall of the machine
    Lease held = automatic(manager, freshName(), lease).acquire();
    long begun = System.nanoTime();
    site.server().pause();
    try {
      Await.pass(lease.multipliedBy(2).dividedBy(5)); // covers the first renewal
    } finally {
      site.server().resume();
    }
    Duration paused = since(begun);
    if (paused.compareTo(lease.multipliedBy(4).dividedBy(5)) > 0) {
      return false; // the resume came late: not a short pause
    }
    Await.pass(lease.multipliedBy(2).dividedBy(3)); // past the first deadline
    Check.that(held.isValid(), "the lease survives a short pause of the server");
    DistributedLock lock = other.lock(held.lockName());
    Check.refused(
        lock.tryAcquire().isEmpty(),
        held::isValid,
        "the lock survives a short pause of the server");
    held.release();
    return true;
  }

  // ---- RN-5 ----

  @Rule(value = "RN-5", shows = "at release", needs = Need.STORE, timed = true)
  void stopsAtRelease() throws Exception {
    Faults faults = new Faults();
    Lease lease = renewedOnce(open(faults), faults);
    lease.release();
    int sent = faults.count(Op.RENEW);
    checkNoneSent(faults, sent);
  }

  // Operations on one token are sent one after another; a store may rely on that.
  @Rule(
      value = "RN-5",
      shows = "a renewal is under way at release",
      needs = Need.STORE,
      timed = true)
  void waitsForRenewal() {
    Gate gate = new Gate();
    Faults faults = new Faults().next(Op.RENEW, StoreFault.callHeld(gate));
    LockManager manager = open(faults, b -> b.commandTimeout(LONG));
    Duration lease = TimeScale.millis(1200);
    Lease held = Await.value(automatic(manager, freshName(), lease).acquireAsync());
    gate.awaitReached();
    var released = held.releaseAsync();
    Await.pass(TimeScale.millis(50));
    long opened = System.nanoTime();
    gate.open();
    Await.value(released);
    List<Call> calls = faults.calls().stream().filter(c -> c.op() != Op.ACQUIRE).toList();
    Check.equal(List.of(Op.RENEW, Op.RELEASE), calls.stream().map(Call::op).toList(), "the calls");
    Check.that(calls.get(1).nanos() - opened > 0, "the release waits for the renewal");
    checkNoneSent(faults, 1);
  }

  @Rule(
      value = "RN-5",
      shows = "at loss",
      needs = {Need.STORE, Need.VIEW},
      timed = true)
  void stopsAtLoss() throws Exception {
    Faults faults = new Faults();
    Lease lease = renewedOnce(open(faults), faults);
    view().remove(lease.lockName());
    Await.value(lease.lost());
    checkNoneSent(faults, faults.count(Op.RENEW));
    Check.fails(LeaseLostException.class, "the release of a lost lease", lease::release);
  }

  @Rule(value = "RN-5", shows = "at close", needs = Need.STORE, timed = true)
  void stopsAtClose() throws Exception {
    Faults faults = new Faults();
    LockManager manager = open(faults);
    Lease lease = renewedOnce(manager, faults);
    manager.close();
    checkNoneSent(faults, faults.count(Op.RENEW));
    Optional<Lease> next = open().lock(lease.lockName()).tryAcquire(ended(SLACK));
    Check.that(next.isPresent(), "the lock is free a lease after its manager was closed");
  }

  private Lease renewedOnce(LockManager manager, Faults faults) throws Exception {
    // Twice the usual length: a stall must not end the lease before its renewal.
    Lease lease = automatic(manager, freshName(), LEASE.multipliedBy(2)).acquire();
    Await.until("it is renewed", () -> faults.count(Op.RENEW) >= 1);
    return lease;
  }

  /** Waits longer than until the next renewal would be due. */
  private static void checkNoneSent(Faults faults, int before) {
    Await.pass(LEASE);
    Check.equal(before, faults.count(Op.RENEW), "the number of renewals that were sent");
  }

  // ---- RN-6 ----

  // Another process with the same label and its own leases must not renew the dead one's.
  @Rule(value = "RN-6", needs = Need.PROCESSES)
  void diesWithItsHolder() throws Exception {
    Worker dying = worker();
    Worker living = worker();
    DistributedLock next = lock(freshName());
    Duration length = TimeScale.millis(2400); // a new JVM is slow at first
    WorkerLease other = living.acquire(freshName(), renewed(length.multipliedBy(LONGER)));
    if (!isKept(dying.acquire(next.name(), renewed(length)), next, living, length)) {
      // The worker reported the lease lost: the machine was too busy, or nothing renews it.
      next = lock(freshName());
      length = length.multipliedBy(LONGER);
      Check.that(
          isKept(dying.acquire(next.name(), renewed(length)), next, living, length),
          "the holder renews for as long as it lives");
    }
    dying.kill();
    Optional<Lease> taken = next.tryAcquire(ended(length).plus(SLACK));
    Check.that(taken.isPresent(), "the lock is free a lease after its holder was killed");
    Check.that(other.isValid(), "the living process renews its own lease");
    other.release();
  }

  /**
   * Whether others are refused for longer than the lease; false only if the holder noticed the
   * loss.
   */
  private static boolean isKept(
      WorkerLease lease, DistributedLock lock, Worker contender, Duration length) {
    var asking = contender.lane("asks").trying(lock.name(), renewed(length), length.dividedBy(3));
    Await.pass(length.plus(BRIEF));
    Optional<WorkerLease> granted = Await.value(asking);
    granted.ifPresent(WorkerLease::release);
    if (isEmpty(lock.tryAcquire()) && granted.isEmpty()) {
      return true;
    }
    Check.that(!lease.isValid(), "a contender is refused while the holder lives");
    return false;
  }
}
