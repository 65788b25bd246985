package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.proxy.CommandCounts;
import dev.leasehold.testkit.proxy.CommandProxy;
import dev.leasehold.testkit.view.ServerView;
import dev.leasehold.testkit.worker.Worker;
import dev.leasehold.testkit.worker.WorkerLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Rules about the cost of waiting and about waking. */
final class WakeUpRules {
  private static final Duration LONG = TimeScale.seconds(60);
  private static final Duration SLACK = TimeScale.seconds(4);
  private static final Duration IDLE = TimeScale.seconds(1);

  /** Doubling from 20 ms to a second gives six requests; some more are allowed for the start. */
  private static final int MOST_IN_A_SECOND = 10;

  private static final Duration SECTION = TimeScale.millis(10);

  /** The shortest pause is 20 ms. */
  private static final int MOST_POLLS_IN_A_SECOND = 50;

  private static final int USUAL_FOR_ONE_HAND_OVER = 3;
  private static final int MOST_FOR_ONE_HAND_OVER = 4;

  /**
   * Waiters that poll only long after the rule has failed. They do poll eventually, and subscribe,
   * if their first call timed out on a stalled machine.
   */
  private static LockOptions onlyWhenWoken() {
    Duration never = SLACK.multipliedBy(2);
    return LockOptions.fixed(LONG).toBuilder().waitStrategy(WaitStrategy.every(never)).build();
  }

  private static void awaitInLine(Bench bench, String name, long waiters) {
    ServerView view = bench.site().view();
    Await.until(waiters + " stand in line", () -> view.hasWaiting(name, waiters));
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  // ---- WA-6 ----

  @Rule(value = "WA-6", shows = "calls to the store", needs = Need.STORE)
  void fewCalls(Bench bench) throws Exception {
    Faults counted = new Faults();
    checkIdle(bench, bench.site().open(counted), counted::count);
  }

  @Rule(value = "WA-6", shows = "commands to the server", needs = Need.REDIS)
  void fewCommands(Bench bench) throws Exception {
    CommandProxy proxy = bench.proxy(bench.site());
    LockManager waiting = bench.site().by(proxy.uri()).open();
    waiting.lock(bench.name()).acquire().release(); // loads the scripts
    checkIdle(bench, waiting, () -> proxy.counts().withoutHousekeeping().total());
  }

  private static void checkIdle(Bench bench, LockManager waiting, LongSupplier count)
      throws Exception {
    String name = bench.name();
    LockManager busy = bench.site().open();
    DistributedLock held = bench.fixed(busy, name, LONG);
    Lease lease = held.acquire();
    // The waiters of one process are one contender, unless each has its own place in the line.
    int threads = bench.guarantees().contains(Guarantee.FAIR) ? 1 : 4;
    long before = count.getAsLong();
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      waiters.add(bench.fixed(waiting, name, LONG).acquireAsync().toCompletableFuture());
    }
    long begun = System.nanoTime();
    // Activity on other locks must not reach the waiters.
    DistributedLock other = busy.lock(bench.name());
    while (since(begun).compareTo(IDLE) < 0) {
      other.acquire().release();
      Await.pass(TimeScale.millis(10));
    }
    long calls = count.getAsLong() - before;
    Duration idle = since(begun);
    Check.that(
        calls <= MOST_IN_A_SECOND + MOST_IN_A_SECOND * idle.toMillis() / 1000,
        "waiting for " + idle.toMillis() + " ms costs few commands; it cost " + calls);
    Check.that(calls > 0, "the waiters have asked at all");
    waiters.forEach(waiter -> waiter.cancel(true));
    lease.release();
  }

  // Catches a waiter that responds to a lock that changes hands often by asking all the time.
  @Rule(value = "WA-6", shows = "the lock changes hands all the time", needs = Need.STORE)
  void fewCallsForShortHolds(Bench bench) throws Exception {
    String name = bench.name();
    DistributedLock busy = bench.fixed(bench.site().open(), name, LONG);
    Faults counted = new Faults();
    AtomicInteger refusals = new AtomicInteger();
    LockManager waiting =
        bench.site().open(counted, b -> b.listener(event -> count(event, refusals)));
    DistributedLock lock = bench.fixed(waiting, name, LONG);
    CompletableFuture<Void> end = new CompletableFuture<>();
    CompletableFuture<Void> first = new CompletableFuture<>();
    CompletableFuture<Integer> busyTurns =
        bench.onThread(
            () -> {
              int turns = 0;
              for (; !end.isDone(); turns++) {
                Lease held = busy.acquire();
                first.complete(null);
                Await.pass(SECTION); // mostly held, so hammering is refused often
                while (refusals.get() == 0 && !end.isDone()) {
                  Await.pass(SECTION);
                }
                held.release();
              }
              return turns;
            });
    Await.value(first);
    long begun = System.nanoTime();
    int turns = 0;
    while (since(begun).compareTo(IDLE) < 0) {
      if (lock.tryAcquire(IDLE).map(WakeUpRules::released).isPresent()) {
        turns++;
      }
    }
    Duration took = since(begun);
    end.complete(null);
    int releases = Await.value(busyTurns);
    Check.that(refusals.get() > 0, "the waiter was refused now and then");
    // A subscribed waiter is refused twice per turn, before and after subscribing; and once more
    // for each wake-up after which another contender was faster.
    boolean woken = bench.guarantees().contains(Guarantee.WAKE_UP);
    long others = woken ? releases + turns : MOST_POLLS_IN_A_SECOND * took.toMillis() / 1000;
    long most = MOST_IN_A_SECOND + 2L * turns + others;
    Check.that(
        refusals.get() <= most,
        "a waiter asks at most "
            + most
            + " times for "
            + turns
            + " turns in "
            + took.toMillis()
            + " ms"
            + ": it asked "
            + refusals);
  }

  private static void count(LockEvent event, AtomicInteger refusals) {
    if (event instanceof LockEvent.Contended) {
      refusals.incrementAndGet();
    }
  }

  private static Lease released(Lease lease) {
    lease.release();
    return lease;
  }

  // ---- WA-8 ----

  @Rule(value = "WA-8", shows = "in another manager")
  void wakesAnotherManager(Bench bench) throws Exception {
    String name = bench.name();
    LockManager first = bench.site().open();
    DistributedLock second = bench.site().open().lock(name, onlyWhenWoken());
    for (int i = 0; i < 3; i++) {
      Lease lease = first.lock(name, onlyWhenWoken()).acquire();
      CompletableFuture<Lease> waiting = second.acquireAsync().toCompletableFuture();
      awaitWaiting(bench, name);
      long begun = System.nanoTime();
      lease.release();
      Await.value(waiting).release();
      Check.atMost(SLACK, since(begun), "the way from a release to a waiter's grant");
    }
  }

  @Rule(value = "WA-8", shows = "in another process", needs = Need.PROCESSES)
  void wakesAnotherProcess(Bench bench) throws Exception {
    String name = bench.name();
    Worker worker = bench.site().worker();
    LockManager here = bench.site().open();
    for (int i = 0; i < 3; i++) {
      Lease lease = here.lock(name, onlyWhenWoken()).acquire();
      CompletableFuture<WorkerLease> there = worker.lane("waiter").acquiring(name, onlyWhenWoken());
      awaitWaiting(bench, name);
      long begun = System.nanoTime();
      lease.release();
      Await.value(there).release();
      Check.atMost(SLACK, since(begun), "the way from a release to another process");
    }
  }

  /** Where there is no line to inspect, it usually waits by then: one of three times is enough. */
  private static void awaitWaiting(Bench bench, String name) {
    if (bench.guarantees().contains(Guarantee.WAKE_ONE)) {
      awaitInLine(bench, name, 1);
    } else {
      Await.pass(TimeScale.millis(200));
    }
  }

  // ---- WA-9 ----

  // Catches a store that wakes all waiters: n waiters then send about n/2 commands per hand-over.
  @Rule(
      value = "WA-9",
      needs = {Need.REDIS, Need.VIEW})
  void handOversCostTheSame(Bench bench) throws Exception {
    CommandProxy proxy = bench.proxy(bench.site());
    Site site = bench.site().by(proxy.uri());
    List<LockManager> managers = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      LockManager manager = site.open();
      managers.add(manager);
    }
    handOvers(bench, proxy, managers); // loads the scripts and subscribes all
    double few =
        leastOf(USUAL_FOR_ONE_HAND_OVER, () -> handOvers(bench, proxy, managers.subList(0, 3)));
    Check.that(
        few <= MOST_FOR_ONE_HAND_OVER,
        "a hand-over with 2 waiters takes few commands: it took " + few);

    // A quorum whose nodes learn of a hand-over at different times occasionally asks once more.
    double most = few + (bench.guarantees().contains(Guarantee.QUORUM) ? 1.5 : 0.5);
    double many = leastOf(most, () -> handOvers(bench, proxy, managers));
    Check.that(
        many <= most, "6 waiters cost as much as 2, which is " + few + ": they cost " + many);
  }

  /**
   * The lowest cost over several runs, which leaves out chance conflicts as between contenders at a
   * quorum's nodes. Stops once the cost is {@code enough} or less.
   */
  private static double leastOf(double enough, Callable<Double> costs) throws Exception {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < 10 && least > enough; i++) {
      least = Math.min(least, costs.call());
    }
    return least;
  }

  /** All managers but the first wait and get a turn; returns the number of commands per turn. */
  private static double handOvers(Bench bench, CommandProxy proxy, List<LockManager> managers)
      throws Exception {
    String name = bench.name();
    Lease held = managers.get(0).lock(name, onlyWhenWoken()).acquire();
    List<CompletableFuture<Void>> turns = new ArrayList<>();
    for (LockManager manager : managers.subList(1, managers.size())) {
      turns.add(
          manager
              .lock(name, onlyWhenWoken())
              .acquireAsync()
              .thenCompose(Lease::releaseAsync)
              .toCompletableFuture());
    }
    awaitInLine(bench, name, turns.size());
    settled(proxy.counting());
    Supplier<CommandCounts> count = proxy.counting();
    long begun = System.nanoTime();
    held.release();
    for (CompletableFuture<Void> turn : turns) {
      Await.value(turn);
    }
    // Before any of them would have polled.
    Check.atMost(SLACK.multipliedBy(3).dividedBy(2), since(begun), "the turns of woken waiters");
    return (double) settled(count) / turns.size();
  }

  /**
   * The command count once it stops growing: a turn at a quorum ends before its slowest node was
   * asked. Also returns if commands never stop; the count is too high by then.
   */
  private static long settled(Supplier<CommandCounts> count) {
    long last = -1;
    long now = count.get().withoutHousekeeping().total();
    for (int i = 0; now != last && i < 40; i++) {
      last = now;
      Await.pass(TimeScale.millis(50));
      now = count.get().withoutHousekeeping().total();
    }
    return now;
  }

  // ---- WA-10 ----

  @Rule(
      value = "WA-10",
      shows = "it left before it received the message",
      needs = {Need.STORE, Need.VIEW})
  void leaverPassesItOn(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.fixed(bench.site().open(), name, LONG).acquire();
    LockManager deaf = bench.site().open(new Faults().loseWakeUps());
    CompletableFuture<Lease> leaving =
        deaf.lock(name, onlyWhenWoken()).acquireAsync().toCompletableFuture();
    awaitInLine(bench, name, 1);
    CompletableFuture<Lease> next =
        bench.site().open().lock(name, onlyWhenWoken()).acquireAsync().toCompletableFuture();
    awaitInLine(bench, name, 2);
    held.release(); // wakes the first waiter, which misses the message
    long begun = System.nanoTime();
    leaving.cancel(true);
    Await.value(next).release();
    Check.atMost(SLACK, since(begun), "the turn of the one behind a waiter that left");
  }

  @Rule(
      value = "WA-10",
      shows = "it left during its request",
      needs = {Need.STORE, Need.VIEW})
  void leaverGivesTheGrantBack(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.fixed(bench.site().open(), name, LONG).acquire();
    Faults faults = new Faults();
    CompletableFuture<Lease> leaving =
        bench.site().open(faults).lock(name, onlyWhenWoken()).acquireAsync().toCompletableFuture();
    awaitInLine(bench, name, 1);
    CompletableFuture<Lease> next =
        bench.site().open().lock(name, onlyWhenWoken()).acquireAsync().toCompletableFuture();
    awaitInLine(bench, name, 2);
    Gate gate = new Gate();
    faults.next(Op.ACQUIRE, StoreFault.callHeld(gate));
    held.release();
    gate.awaitReached(); // it was woken and is about to ask
    leaving.cancel(true);
    gate.open();
    long begun = System.nanoTime();
    Await.value(next).release();
    Check.atMost(SLACK, since(begun), "the turn of the one behind a waiter that left");
  }

  @Rule(
      value = "WA-10",
      shows = "it died",
      needs = {Need.PROCESSES, Need.VIEW})
  void deadWaiter(Bench bench) throws Exception {
    checkCostsASecond(bench, Worker::kill, Worker::close);
  }

  @Rule(
      value = "WA-10",
      shows = "it is paused",
      needs = {Need.PROCESSES, Need.VIEW})
  void pausedWaiter(Bench bench) throws Exception {
    checkCostsASecond(bench, Worker::pause, Worker::resume);
  }

  private static void checkCostsASecond(
      Bench bench, Consumer<Worker> accident, Consumer<Worker> afterwards) throws Exception {
    String name = bench.name();
    Lease held = bench.fixed(bench.site().open(), name, LONG).acquire();
    Worker worker = bench.site().worker();
    CompletableFuture<WorkerLease> first =
        worker.lane("waiter").acquiring(name, LockOptions.fixed(LONG));
    awaitInLine(bench, name, 1);
    CompletableFuture<Lease> second =
        bench.fixed(bench.site().open(), name, LONG).acquireAsync().toCompletableFuture();
    awaitInLine(bench, name, 2);
    accident.accept(worker);
    try {
      held.release();
      long begun = System.nanoTime();
      Lease lease = Await.value(second);
      Duration took = since(begun);
      Check.atMost(TimeScale.seconds(1).plus(SLACK), took, "the turn of the one behind it");
      Check.that(!first.isDone() || first.isCompletedExceptionally(), "the first has nothing");
      lease.release();
    } finally {
      afterwards.accept(worker);
    }
  }
}
