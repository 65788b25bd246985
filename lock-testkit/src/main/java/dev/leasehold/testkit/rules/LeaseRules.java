package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Faults.Call;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.server.ClockShim;
import dev.leasehold.testkit.view.ServerView.Entry;
import dev.leasehold.testkit.worker.Worker;
import dev.leasehold.testkit.worker.WorkerLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

final class LeaseRules extends Steps {
  private static final Duration LEASE = TimeScale.millis(600);

  /** How far a lease's deadline lies before the store's: 1 % of the lease and 2 ms. */
  private static long drift(Duration lease) {
    return lease.toNanos() / 100 + Duration.ofMillis(2).toNanos();
  }

  /** A lower bound of the lease's deadline: the clock is read before the remaining time. */
  private static long deadlineAtLeast(Lease lease) {
    long now = System.nanoTime();
    return now + lease.remaining().toNanos();
  }

  private static List<Call> asks(Faults faults) {
    return faults.calls().stream().filter(call -> call.op() == Op.ACQUIRE).toList();
  }

  // ---- LE-1 ----

  @Rule(
      value = "LE-1",
      needs = {Need.STORE, Need.VIEW, Need.REDIS})
  void neverWithoutEnd() throws Exception {
    atEachMoment(
        "an acquisition",
        moment -> {
          nextName();
          LeaseStore store = moment.site().store();
          try (ActiveFault dead = moment.fromNowOn(CommandFault.dropRequest())) {
            CompletableFuture<AcquireResult> asked = asking(store, key(name), LONG);
            Await.until("it is granted or cut off", () -> asked.isDone() || dead.hits() > 0);
            // The last command may still be in the server.
            Await.pass(TimeScale.millis(30));
            Optional<Entry> seen = view().look(name);
            String after = " after " + moment.sent + " commands";
            Check.that(
                seen.isEmpty() || seen.get().ttl().isPresent(),
                "a lock has a time to live" + after + " of its acquisition: " + seen);
            boolean granted = asked.isDone() && !asked.isCompletedExceptionally();
            Check.that(!granted || seen.isPresent(), "the lock is there" + after);
            return granted;
          }
        });
  }

  // ---- LE-2 ----

  @Rule(value = "LE-2", shows = "a killed process", needs = Need.PROCESSES)
  void killedHolder() throws Exception {
    LockManager here = open();
    Worker worker = worker();
    Duration length = LEASE.multipliedBy(4); // a new JVM is slow at first
    Optional<CompletableFuture<Lease>> waiting = waitsForHolder(here, worker, length);
    for (int tries = 1; waiting.isEmpty() && tries < 3; tries++) {
      length = length.multipliedBy(2);
      nextName();
      waiting = waitsForHolder(here, worker, length);
    }
    Check.that(waiting.isPresent(), "the lock is held for as long as its holder lives");
    long killed = System.nanoTime();
    worker.kill();
    Await.value(waiting.orElseThrow()).release();
    Check.atMost(
        ended(length).plus(SLACK), since(killed), "the time from the kill to the next acquisition");
  }

  /**
   * Starts a waiter for a lock that the worker holds and renews; empty if the worker lost the lease
   * because its JVM stalled.
   */
  private Optional<CompletableFuture<Lease>> waitsForHolder(
      LockManager here, Worker worker, Duration length) {
    WorkerLease held = worker.acquire(name, renewed(length));
    CompletableFuture<Lease> waiting = asking(here.lock(name));
    Await.pass(length.multipliedBy(2));
    if (!waiting.isDone()) {
      return Optional.of(waiting);
    }
    Check.that(!held.isValid(), "the lock is held for as long as its holder has it");
    waiting.join().release();
    return Optional.empty();
  }

  @Rule(value = "LE-2", shows = "a holder that falls silent", needs = Need.STORE, timed = true)
  void silentHolder() throws Exception {
    LockManager manager = open();
    long sent = System.nanoTime();
    hold(store(), key(name), LEASE);
    Lease lease = manager.lock(name).tryAcquire(ended(LEASE).plus(SLACK)).orElseThrow();
    Duration took = since(sent);
    Check.atLeast(LEASE.minusMillis(1), took, "the time until others got the lock");
    Check.atMost(ended(LEASE).plus(SLACK), took, "the time until others got the lock");
    lease.release();
  }

  // ---- LE-3 ----

  @Rule(value = "LE-3", shows = "a slow answer", needs = Need.STORE)
  void countsFromBeforeSending() throws Exception {
    Duration delay = LEASE.dividedBy(3);
    Faults faults = new Faults().next(Op.ACQUIRE, StoreFault.answerLate(delay));
    LockManager manager = open(faults);
    try (Lease lease = fixed(manager, freshName(), LEASE).acquire()) {
      List<Call> asks = asks(faults); // on a machine that stalls the first attempt may be too late
      checkDeadline(lease, asks.get(asks.size() - 1), LEASE);
      Check.that(lease.isValid(), "the lease is valid, since its answer came in time");
    }
  }

  private static void checkDeadline(Lease lease, Call granted, Duration asked) {
    long latest = granted.nanos() + asked.toNanos() - drift(asked);
    Duration over = Duration.ofNanos(deadlineAtLeast(lease) - latest);
    Check.atMost(
        Duration.ZERO, over, "how far the deadline is past 'sent + lease - drift allowance'");
  }

  @Rule(
      value = "LE-3",
      shows = "an answer slower than the lease",
      needs = {Need.STORE})
  void tooSlowToHold() throws Exception {
    Duration brief = TimeScale.millis(150);
    Faults faults = new Faults().next(Op.ACQUIRE, StoreFault.answerLate(brief.multipliedBy(2)));
    LockManager manager = open(faults);
    Check.fails(
        LockStoreException.class,
        "an attempt whose answer took longer than the lease",
        () -> fixed(manager, name, brief).tryAcquire());
    // Not released here: whether the late release of the first lease spares this one is RL-7's
    // subject.
    Optional<Lease> next = lock().tryAcquire(ended(SLACK));
    Check.that(next.isPresent(), "the lock is free for others");
  }

  // ---- LE-4 ----

  @Rule(value = "LE-4", shows = "after a wait", timed = true)
  void waitingIsFree() throws Exception {
    LockManager holder = open();
    LockManager waiter = open();
    Lease held = holder.lock(name).acquire();
    CompletableFuture<Lease> waiting = asking(fixed(waiter, name, LEASE));
    Await.pass(LEASE.plus(LEASE.dividedBy(2)));
    long released = System.nanoTime();
    held.release();
    Lease lease = Await.value(waiting);
    // The request that was granted was sent after the release, or was in flight at that time.
    long slack = TimeScale.millis(200).toNanos();
    long earliest = released + LEASE.toNanos() - drift(LEASE) - slack;
    Duration missing = Duration.ofNanos(earliest - deadlineAtLeast(lease));
    Check.atMost(Duration.ZERO, missing, "what the wait took from the lease");
    lease.release();
  }

  @Rule(value = "LE-4", shows = "after an answer that was lost", needs = Need.STORE, timed = true)
  void retryStartsAnew() throws Exception {
    Faults faults = new Faults().next(Op.ACQUIRE, StoreFault.answerLost());
    Duration timeout = LEASE.dividedBy(2);
    LockManager manager = open(faults, b -> b.commandTimeout(timeout));
    Lease lease = fixed(manager, freshName(), LEASE).acquire();
    List<Call> asks = asks(faults);
    Check.equal(2, asks.size(), "the number of times that the store was asked");
    Check.equal(asks.get(0).token(), asks.get(1).token(), "the token of the second ask");
    checkDeadline(lease, asks.get(1), LEASE);
    long first = asks.get(0).nanos() + LEASE.toNanos();
    Check.that(deadlineAtLeast(lease) - first > 0, "the deadline counts from the second ask");
    lease.release();
  }

  // ---- LE-5 ----

  @Rule("LE-5")
  void fixedIsForOnce() throws Exception {
    LockManager manager = open();
    LockManager other = open();
    try (Lease lease = fixed(manager, name, LEASE).acquire()) {
      Check.atMost(LEASE, lease.remaining(), "what remains of a fixed lease");
    }
    try (Lease lease = manager.lock(name).acquire()) {
      Duration half = LockOptions.defaults().lease().dividedBy(2);
      Check.atLeast(half, lease.remaining(), "what remains of a later lease by default");
    }
    long sent = System.nanoTime();
    Lease lease = fixed(manager, name, LEASE).acquire();
    boolean refused = other.lock(name).tryAcquire().isEmpty();
    Check.that(refused || !lease.isValid(), "the lock is held"); // or it has expired by now
    Await.until("the fixed lease ends by itself", LEASE.plus(SLACK), () -> !lease.isValid());
    Lease next = other.lock(name).tryAcquire(ended(SLACK)).orElseThrow();
    Duration took = since(sent);
    Check.atLeast(LEASE.minusMillis(1), took, "the time until others got the lock");
    next.release();
  }

  // ---- LE-6 ----

  @Rule(value = "LE-6", shows = "a fixed lease that is extended", needs = Need.VIEW, timed = true)
  void fixedRemaining() throws Exception {
    try (Lease lease = fixed(name, LEASE).acquire()) {
      checkRemaining(lease);
      Check.that(lease.extend(LEASE.multipliedBy(3)), "the lease is extended");
      checkRemaining(lease);
      Check.atLeast(LEASE.multipliedBy(2), lease.remaining(), "what remains after the extension");
      Check.that(lease.extend(LEASE.dividedBy(10)), "a shorter extension does no harm");
      checkRemaining(lease);
      Check.atLeast(LEASE, lease.remaining(), "what remains after a shorter extension");
    }
  }

  @Rule(
      value = "LE-6",
      shows = "an automatic lease over its renewals",
      needs = Need.VIEW,
      timed = true)
  void automaticRemaining() throws Exception {
    try (Lease lease = automatic(name, LEASE).acquire()) {
      long start = System.nanoTime();
      while (since(start).compareTo(LEASE.multipliedBy(2)) < 0) {
        checkRemaining(lease);
        Await.pass(Duration.ofMillis(5));
      }
      Check.that(lease.isValid(), "the lease was renewed");
    }
  }

  /** Reads the lease before the server: the server's TTL only shrinks meanwhile. */
  private void checkRemaining(Lease lease) {
    Duration reported = lease.remaining();
    long asked = System.nanoTime();
    Duration onServer = view().look(name).orElseThrow().left();
    // The server reports whole milliseconds.
    Check.atMost(
        onServer.plus(since(asked)).plusMillis(1), reported, "what the lease reports as left");
  }

  // ---- LE-7 ----

  @Rule(
      value = "LE-7",
      needs = {Need.PROCESSES, Need.CLOCK},
      timed = true)
  void clockJumps() throws Exception {
    Duration length = LEASE.multipliedBy(5); // a new JVM is slow at first
    String automatic = freshName();
    String fixed = freshName();
    ClockShim clock = ClockShim.available().orElseThrow();
    Worker worker = site().worker(clock.environment());
    LockManager here = open();
    WorkerLease renewed = worker.acquire(automatic, renewed(length));
    WorkerLease ending = worker.acquire(fixed, LockOptions.fixed(length.multipliedBy(5)));
    for (Duration jump : List.of(Duration.ofHours(3), Duration.ofHours(-6))) {
      long before = worker.lane("clock").currentTimeMillis();
      clock.jump(jump);
      Duration moved = Duration.ofMillis(worker.lane("clock").currentTimeMillis() - before);
      Check.atMost(TimeScale.seconds(60), moved.minus(jump).abs(), "how far the clock is off");
      Await.pass(length.plus(length.dividedBy(2)));
      Check.that(renewed.isValid(), "the automatic lease goes on after a jump by " + jump);
      Check.atMost(length, renewed.remaining(), "what remains of it");
      Check.that(ending.isValid(), "the fixed lease goes on after a jump by " + jump);
      Check.refused(
          here.lock(automatic).tryAcquire().isEmpty(),
          renewed::isValid,
          "the automatic lease is held");
      Check.refused(
          here.lock(fixed).tryAcquire().isEmpty(), ending::isValid, "the fixed lease is held");
    }
    Lease next = here.lock(fixed).tryAcquire(length.multipliedBy(2).plus(SLACK)).orElseThrow();
    Check.that(!ending.isValid(), "the fixed lease ended before another could hold it");
    next.release();
    renewed.release();
    taken(
        here.lock(automatic).tryAcquire(TimeScale.seconds(30)),
        "the lock is free after its release");
  }
}
