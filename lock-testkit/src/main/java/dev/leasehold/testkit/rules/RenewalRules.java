package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
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
import dev.leasehold.testkit.worker.Worker;
import dev.leasehold.testkit.worker.WorkerLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

final class RenewalRules {
  private static final Duration LONG = TimeScale.seconds(30);
  private static final Duration LEASE = TimeScale.millis(600);
  private static final Duration BRIEF = TimeScale.millis(250);
  private static final Duration SLACK = TimeScale.seconds(3);
  private static final int MANY = 40;

  /** Factor for leases of processes that a busy machine may starve for a whole lease. */
  private static final int LONGER = 3;

  // ---- RN-1 ----

  // Many leases, so that an engine that renews them one after another is too late for the last.
  @Rule(value = "RN-1", timed = true)
  void longSections(Bench bench) throws Exception {
    Duration length = TimeScale.millis(1600);
    LockManager manager = bench.site().open();
    DistributedLock rival = bench.site().open().lock(bench.name());
    Lease lease = bench.automatic(manager, rival.name(), length).acquire();
    List<Lease> others = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      others.add(Await.value(bench.automatic(manager, bench.name(), length).acquireAsync()));
    }
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < length.multipliedBy(3).toNanos()) {
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
  void onlyItsOwn(Bench bench) {
    Site site = bench.site();
    LeaseStore store = site.store();
    LeaseKey expired = bench.key(bench.name());
    LeaseKey successor = bench.key(expired.name());
    LeaseKey third = bench.key(expired.name());
    checkGranted(site.ask(store, expired, BRIEF));
    Await.pass(bench.ended(BRIEF).plusMillis(20));
    checkRenewal(RenewResult.NOT_OWNER, store, expired, LONG, "of a lease that expired");
    checkGranted(site.ask(store, successor, BRIEF));
    checkRenewal(RenewResult.NOT_OWNER, store, expired, LONG, "while a successor holds it");
    Await.until(
        "the successor's lease ends at its time",
        bench.ended(BRIEF).plus(SLACK),
        () -> site.ask(store, third, LONG) instanceof AcquireResult.Granted);
    checkRenewal(RenewResult.RENEWED, store, third, LONG, "by the holder");
    Await.value(store.release(third));
  }

  // Catches an unconditional PEXPIRE of the owner's lock: a late renewal then undoes an extension.
  @Rule(value = "RN-2", shows = "a lease that lasts longer", needs = Need.STORE, timed = true)
  void neverShortens(Bench bench) throws Exception {
    Site site = bench.site();
    LeaseStore store = site.store();
    LeaseKey key = bench.key(bench.name());
    checkGranted(site.ask(store, key, LONG));
    checkRenewal(RenewResult.RENEWED, store, key, BRIEF, "for a shorter time");
    Faults faults = new Faults();
    DistributedLock rival = bench.site().open().lock(bench.name());
    Duration length = BRIEF.multipliedBy(2);
    Lease lease = bench.automatic(site.open(faults), rival.name(), length).acquire();
    Check.that(lease.extend(LONG), "the lease is extended");
    int before = faults.count(Op.RENEW);
    Await.until("it is renewed twice more", () -> faults.count(Op.RENEW) >= before + 2);
    faults.every(Op.RENEW, StoreFault.fails(Kind.UNREACHABLE, "the kit says no"));
    Await.pass(length.plus(BRIEF));
    Check.that(lease.isValid(), "an extended lease is valid after a shorter renewal");
    Check.atLeast(LONG.dividedBy(2), lease.remaining(), "what remains of it");
    Check.refused(
        rival.tryAcquire().isEmpty(), lease::isValid, "the store still has the extended lease");
    AcquireResult other = site.ask(store, bench.key(key.name()), BRIEF);
    Check.that(other instanceof AcquireResult.Held, "a long lease outlasts a short renewal");
    lease.release();
    Await.value(store.release(key));
  }

  private static void checkGranted(AcquireResult answer) {
    Check.that(answer instanceof AcquireResult.Granted, "a free lock is granted: " + answer);
  }

  private static void checkRenewal(
      RenewResult expected, LeaseStore store, LeaseKey key, Duration ttl, String when) {
    RenewResult answer = Await.value(store.renew(List.of(new RenewRequest(key, ttl))).get(0));
    Check.equal(expected, answer, "the answer to a renewal " + when);
  }

  // ---- RN-3 ----

  @Rule(value = "RN-3", needs = Need.STORE, timed = true)
  void deadlineStays(Bench bench) throws Exception {
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
          LockManager manager = bench.site().open(faults, b -> b.commandTimeout(LONG));
          DistributedLock lock = bench.automatic(manager, bench.name(), LEASE);
          all.add(bench.onThread(() -> checkDeadlineStays(lock, faults, what)));
        });
    all.forEach(Await::value);
  }

  private static Void checkDeadlineStays(DistributedLock lock, Faults faults, String what)
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
    return null;
  }

  // ---- RN-4 ----

  @Rule(
      value = "RN-4",
      shows = "calls that fail or are not answered",
      needs = Need.STORE,
      timed = true)
  void survivesFailures(Bench bench) throws Exception {
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
      LockManager manager = bench.site().open(trouble.getValue(), b -> b.commandTimeout(LONG));
      leases.put(trouble.getKey(), bench.automatic(manager, bench.name(), lease).acquire());
    }
    Await.pass(lease.plus(lease.dividedBy(2)));
    LockManager other = bench.site().open();
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
  void survivesPause(Bench bench) throws Exception {
    Site site = bench.ownSite();
    LockManager manager = site.open();
    LockManager other = site.open();
    Rounds.untilOneCounts(() -> survivesPause(bench, site, manager, other));
  }

  private static boolean survivesPause(
      Bench bench, Site site, LockManager manager, LockManager other) throws Exception {
    Duration lease = TimeScale.millis(1800); // survives a stall of the machine
    Lease held = bench.automatic(manager, bench.name(), lease).acquire();
    long begun = System.nanoTime();
    site.server().pause();
    try {
      Await.pass(lease.multipliedBy(2).dividedBy(5)); // covers the first renewal
    } finally {
      site.server().resume();
    }
    Duration paused = Duration.ofNanos(System.nanoTime() - begun);
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
  void stopsAtRelease(Bench bench) throws Exception {
    Faults faults = new Faults();
    Lease lease = renewedOnce(bench, bench.site().open(faults), faults);
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
  void waitsForRenewal(Bench bench) {
    Gate gate = new Gate();
    Faults faults = new Faults().next(Op.RENEW, StoreFault.callHeld(gate));
    LockManager manager = bench.site().open(faults, b -> b.commandTimeout(LONG));
    Duration lease = TimeScale.millis(1200);
    Lease held = Await.value(bench.automatic(manager, bench.name(), lease).acquireAsync());
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
  void stopsAtLoss(Bench bench) throws Exception {
    Faults faults = new Faults();
    Lease lease = renewedOnce(bench, bench.site().open(faults), faults);
    bench.site().view().remove(lease.lockName());
    Await.value(lease.lost());
    checkNoneSent(faults, faults.count(Op.RENEW));
    Check.fails(LeaseLostException.class, "the release of a lost lease", lease::release);
  }

  @Rule(value = "RN-5", shows = "at close", needs = Need.STORE, timed = true)
  void stopsAtClose(Bench bench) throws Exception {
    Faults faults = new Faults();
    LockManager manager = bench.site().open(faults);
    Lease lease = renewedOnce(bench, manager, faults);
    manager.close();
    checkNoneSent(faults, faults.count(Op.RENEW));
    Optional<Lease> next =
        bench.site().open().lock(lease.lockName()).tryAcquire(bench.ended(SLACK));
    Check.that(next.isPresent(), "the lock is free a lease after its manager was closed");
  }

  private static Lease renewedOnce(Bench bench, LockManager manager, Faults faults)
      throws Exception {
    // Twice the usual length: a stall must not end the lease before its renewal.
    Lease lease = bench.automatic(manager, bench.name(), LEASE.multipliedBy(2)).acquire();
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
  void diesWithItsHolder(Bench bench) throws Exception {
    Worker dying = bench.site().worker();
    Worker living = bench.site().worker();
    DistributedLock next = bench.site().open().lock(bench.name());
    Duration length = TimeScale.millis(2400); // a new JVM is slow at first
    WorkerLease other = living.acquire(bench.name(), automatic(length.multipliedBy(LONGER)));
    if (!isKept(dying.acquire(next.name(), automatic(length)), next, living, length)) {
      // The worker reported the lease lost: the machine was too busy, or nothing renews it.
      next = bench.site().open().lock(bench.name());
      length = length.multipliedBy(LONGER);
      Check.that(
          isKept(dying.acquire(next.name(), automatic(length)), next, living, length),
          "the holder renews for as long as it lives");
    }
    dying.kill();
    Optional<Lease> taken = next.tryAcquire(bench.ended(length).plus(SLACK));
    Check.that(taken.isPresent(), "the lock is free a lease after its holder was killed");
    Check.that(other.isValid(), "the living process renews its own lease");
    other.release();
  }

  private static LockOptions automatic(Duration lease) {
    return LockOptions.builder().automaticLease(lease).build();
  }

  /**
   * Whether others are refused for longer than the lease; false only if the holder noticed the
   * loss.
   */
  private static boolean isKept(
      WorkerLease lease, DistributedLock lock, Worker contender, Duration length)
      throws InterruptedException {
    var asking = contender.lane("asks").trying(lock.name(), automatic(length), length.dividedBy(3));
    Await.pass(length.plus(BRIEF));
    Optional<WorkerLease> granted = Await.value(asking);
    granted.ifPresent(WorkerLease::release);
    Optional<Lease> taken = lock.tryAcquire();
    taken.ifPresent(Lease::release);
    if (granted.isEmpty() && taken.isEmpty()) {
      return true;
    }
    Check.that(!lease.isValid(), "a contender is refused while the holder lives");
    return false;
  }
}
