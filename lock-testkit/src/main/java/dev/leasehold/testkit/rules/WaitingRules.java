package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Fault;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

final class WaitingRules {
  private static final Duration WAIT = TimeScale.millis(400);
  private static final Duration SLACK = TimeScale.seconds(3);
  private static final Duration TIMEOUT = TimeScale.millis(250);

  // ---- WA-1 ----

  @Rule(value = "WA-1", shows = "while another holds it")
  void endsByItsTime(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.site().open().lock(name).acquire();
    LockManager manager = bench.site().open();
    long start = System.nanoTime();
    Check.that(manager.lock(name).tryAcquire(WAIT).isEmpty(), "contended is empty");
    Check.atLeast(WAIT, Waiters.since(start), "the wait");
    Check.atMost(WAIT.plus(SLACK), Waiters.since(start), "the wait");
    start = System.nanoTime();
    Check.that(Await.value(manager.lock(name).tryAcquireAsync(WAIT)).isEmpty(), "so is async");
    Check.atMost(WAIT.plus(SLACK), Waiters.since(start), "the wait");
    Check.that(manager.lock(name).tryAcquire().isEmpty(), "so is an attempt that does not wait");
    held.release();
  }

  @Rule(value = "WA-1", shows = "while the server is stopped", needs = Need.PAUSE)
  void stoppedServer(Bench bench) {
    Site site = bench.ownSite();
    LockManager manager = site.open();
    site.server().pause();
    try {
      outOfReach(manager, bench);
    } finally {
      site.server().resume();
    }
  }

  @Rule(value = "WA-1", shows = "while the server is gone", needs = Need.KILL)
  void goneServer(Bench bench) {
    Site site = bench.ownSite();
    LockManager manager = site.open();
    site.server().kill();
    outOfReach(manager, bench);
  }

  private static void outOfReach(LockManager manager, Bench bench) {
    DistributedLock lock = manager.lock(bench.name());
    long start = System.nanoTime();
    Check.fails(LockStoreException.class, "a timed attempt", () -> lock.tryAcquire(WAIT));
    Check.atMost(WAIT.plus(SLACK), Waiters.since(start), "the wait");
    long again = System.nanoTime();
    Check.fails(
        LockStoreException.class,
        "a timed attempt without blocking",
        () -> Await.value(lock.tryAcquireAsync(WAIT)));
    Check.atMost(WAIT.plus(SLACK), Waiters.since(again), "the wait");
  }

  // ---- WA-2 ----

  @Rule(value = "WA-2", needs = Need.STORE)
  void lostWakeUp(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.site().open().lock(name).acquire();
    Faults deaf = new Faults().loseWakeUps();
    CompletableFuture<Lease> waiter =
        Waiters.waiting(bench.site(), deaf, name, LockOptions.defaults());
    long start = System.nanoTime();
    held.release();
    Await.value(waiter).release();
    Duration bound = WaitStrategy.defaults().longest().plus(SLACK);
    Check.atMost(bound, Waiters.since(start), "the time from the release to the waiter's grant");
  }

  // ---- WA-3 ----

  @Rule(value = "WA-3", needs = Need.STORE)
  void lostRace(Bench bench) throws Exception {
    String name = bench.name();
    LockManager holder = bench.site().open();
    Lease held = holder.lock(name).acquire();
    Faults faults = new Faults();
    CompletableFuture<Lease> waiter =
        Waiters.waiting(bench.site(), faults, name, LockOptions.defaults());
    Gate gate = new Gate();
    faults.next(Op.ACQUIRE, Fault.callHeld(gate));
    held.release();
    gate.awaitReached(); // it was woken, and asks
    Lease faster = bench.site().open().lock(name).tryAcquire().orElseThrow();
    int asked = faults.count(Op.ACQUIRE);
    gate.open();
    Await.until("it is refused and asks again", () -> faults.count(Op.ACQUIRE) > asked);
    Check.that(!waiter.isDone(), "the waiter that lost the race waits on");
    faster.release();
    Await.value(waiter).release();
  }

  // ---- WA-4 ----

  @Rule("WA-4")
  void interrupted(Bench bench) throws Exception {
    String name = bench.name();
    LockManager holder = bench.site().open();
    Lease held = holder.lock(name).acquire();
    LockManager manager = bench.site().open();
    for (boolean timed : new boolean[] {false, true}) {
      CompletableFuture<Optional<Lease>> outcome = new CompletableFuture<>();
      DistributedLock lock = manager.lock(name);
      Thread thread =
          bench.thread(
              () -> timed ? lock.tryAcquire(Duration.ofMinutes(1)) : Optional.of(lock.acquire()),
              outcome);
      thread.start();
      Await.until(
          "the thread waits",
          () ->
              thread.getState() == Thread.State.WAITING
                  || thread.getState() == Thread.State.TIMED_WAITING);
      long start = System.nanoTime();
      thread.interrupt();
      try {
        Await.value(outcome);
        Check.that(false, "an interrupted wait throws");
      } catch (java.util.concurrent.CompletionException e) {
        Check.that(e.getCause() instanceof InterruptedException, "it threw " + e.getCause());
      }
      Check.atMost(SLACK, Waiters.since(start), "the time to the end of the wait");
    }
    Await.until("nothing is left behind", () -> Waiters.inLine(bench, name) == 0);
    held.release();
    holder.lock(name).tryAcquire(SLACK).orElseThrow().release();
  }

  // ---- WA-5 ----

  @Rule(value = "WA-5", shows = "cancelled", needs = Need.STORE)
  void lateGrantAfterCancel(Bench bench) throws Exception {
    String name = bench.name();
    Gate gate = new Gate();
    Faults faults = new Faults().next(Op.ACQUIRE, Fault.answerHeld(gate));
    CompletableFuture<Lease> asked =
        bench.site().open(faults).lock(name).acquireAsync().toCompletableFuture();
    gate.awaitReached();
    Check.that(asked.cancel(true), "the acquisition is cancelled");
    gate.open();
    bench.site().open().lock(name).tryAcquire(SLACK).orElseThrow().release();
  }

  @Rule(value = "WA-5", shows = "timed out and interrupted", needs = Need.STORE)
  void lateGrantAfterTimeout(Bench bench) throws Exception {
    String name = bench.name();
    Gate gate = new Gate();
    Faults faults = new Faults().every(Op.ACQUIRE, Fault.answerHeld(gate));
    DistributedLock lock = bench.site().open(faults).lock(name);
    Check.fails(LockStoreException.class, "a timed attempt", () -> lock.tryAcquire(WAIT));
    CompletableFuture<Lease> outcome = new CompletableFuture<>();
    Thread thread = bench.thread(lock::acquire, outcome);
    thread.start();
    Await.until("it asks too", () -> faults.count(Op.ACQUIRE) == 2);
    thread.interrupt();
    Await.until("it is interrupted", outcome::isCompletedExceptionally);
    faults.clear();
    gate.open();
    bench.site().open().lock(name).tryAcquire(SLACK).orElseThrow().release();
  }

  // ---- WA-6 ----

  @Rule(value = "WA-6", needs = Need.STORE)
  void idleWaitersAreQuiet(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.site().open().lock(name).acquire();
    Faults counted = new Faults();
    LockManager manager = bench.site().open(counted);
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiters.add(manager.lock(name).acquireAsync().toCompletableFuture());
    }
    Await.pass(TimeScale.millis(2500));
    // Twenty waiters are one contender. Pollers begin at 20 ms and double: 7 asks in 1.3 s.
    Check.atMost(12, counted.count(), "the calls of 2.5 s of waiting");
    waiters.forEach(waiter -> waiter.cancel(true));
    held.release();
  }

  // ---- WA-7 ----

  @Rule(value = "WA-7", shows = "threads")
  void threadsReturn(Bench bench) throws Exception {
    LockManager holder = bench.site().open(b -> b.label("wa7-holder"));
    LockManager manager = bench.site().open(b -> b.label("wa7-waiter"));
    contend(bench, holder, manager, 2);
    Await.until("workers end", () -> threads("wa7-") <= 2);
    contend(bench, holder, manager, 30);
    Await.until("workers end again", () -> threads("wa7-") <= 2);
  }

  @Rule(value = "WA-7", shows = "connections, subscriptions and places", needs = Need.OPTIONS)
  void connectionsReturn(Bench bench) throws Exception {
    Site site = bench.ownSite();
    LockManager holder = site.open();
    LockManager manager = site.open();
    contend(bench, holder, manager, 2);
    Await.until("the line is empty", () -> keys(site) == locksLeft(site));
    long clients = lines(site, "CLIENT", "LIST");
    Object channels = site.server().call("PUBSUB", "CHANNELS").orElseThrow();
    contend(bench, holder, manager, 30);
    Await.until("connections are as before", () -> lines(site, "CLIENT", "LIST") == clients);
    Await.until(
        "subscriptions are as before",
        () -> channels.equals(site.server().call("PUBSUB", "CHANNELS").orElseThrow()));
    Await.until("the line is empty", () -> keys(site) == locksLeft(site));
  }

  /** Waiters that get the lock, that run out of time, and that give up. */
  private static void contend(Bench bench, LockManager holder, LockManager manager, int waiters)
      throws Exception {
    String name = bench.name();
    Lease held = holder.lock(name).acquire();
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < waiters; i++) {
      CompletableFuture<Lease> waiter = manager.lock(name).acquireAsync().toCompletableFuture();
      all.add(i % 3 == 0 ? waiter : waiter.thenAccept(Lease::release));
      all.add(
          manager
              .lock(name)
              .tryAcquireAsync(TimeScale.millis(50))
              .thenAccept(found -> found.ifPresent(Lease::release)) // a slow timer lets it win
              .toCompletableFuture());
      if (i % 3 == 0) {
        waiter.cancel(true);
      }
    }
    Await.pass(TimeScale.millis(100));
    held.release();
    for (CompletableFuture<?> one : all) {
      Await.until("every waiter has its outcome", one::isDone);
    }
    holder.lock(name).tryAcquire(SLACK).orElseThrow().release();
  }

  private static long threads(String label) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains(label))
        .count();
  }

  private static long lines(Site site, String... command) {
    return site.server().call(command).map(text -> text.toString().lines().count()).orElse(0L);
  }

  private static long keys(Site site) {
    return (Long) site.server().call("DBSIZE").orElseThrow();
  }

  /** Keys that are no places of waiters and no locks: the fences' counters. */
  private static long locksLeft(Site site) {
    List<?> all = (List<?>) site.server().call("KEYS", "*").orElseThrow();
    return all.stream().filter(key -> key.toString().endsWith(":fence")).count();
  }
}
