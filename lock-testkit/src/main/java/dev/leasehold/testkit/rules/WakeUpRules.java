package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.Await;
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
import java.util.stream.Stream;

/** Rules about the cost of waiting and about waking. */
final class WakeUpRules extends Steps {
  private static final Duration LATE = TimeScale.seconds(4);
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
    Duration never = LATE.multipliedBy(2);
    return LockOptions.fixed(LONG).toBuilder().waitStrategy(WaitStrategy.every(never)).build();
  }

  // ---- WA-6 ----

  @Rule(value = "WA-6", shows = "calls to the store", needs = Need.STORE)
  void fewCalls() throws Exception {
    Faults counted = new Faults();
    checkIdle(open(counted), counted::count);
  }

  @Rule(value = "WA-6", shows = "commands to the server", needs = Need.REDIS)
  void fewCommands() throws Exception {
    CommandProxy proxy = proxy();
    LockManager waiting = site().by(proxy.uri()).open();
    waiting.lock(freshName()).acquire().release(); // loads the scripts
    checkIdle(waiting, () -> proxy.counts().withoutHousekeeping().total());
  }

  private void checkIdle(LockManager waiting, LongSupplier count) throws Exception {
    LockManager busy = open();
    DistributedLock held = fixed(busy, name, LONG);
    Lease lease = held.acquire();
    // The waiters of one process are one contender, unless each has its own place in the line.
    int threads = promises(Guarantee.FAIR) ? 1 : 4;
    long before = count.getAsLong();
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      waiters.add(asking(fixed(waiting, name, LONG)));
    }
    long begun = System.nanoTime();
    // Activity on other locks must not reach the waiters.
    DistributedLock other = busy.lock(freshName());
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
  void fewCallsForShortHolds() throws Exception {
    DistributedLock busy = fixed(name, LONG);
    Faults counted = new Faults();
    AtomicInteger refusals = new AtomicInteger();
    LockManager waiting = open(counted, b -> b.listener(refusals(refusals)));
    DistributedLock lock = fixed(waiting, name, LONG);
    CompletableFuture<Void> end = new CompletableFuture<>();
    CompletableFuture<Void> first = new CompletableFuture<>();
    CompletableFuture<Integer> busyTurns =
        onThread(
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
      turns += isEmpty(lock.tryAcquire(IDLE)) ? 0 : 1;
    }
    Duration took = since(begun);
    end.complete(null);
    int releases = Await.value(busyTurns);
    Check.that(refusals.get() > 0, "the waiter was refused now and then");
    // A subscribed waiter is refused twice per turn, before and after subscribing; and once more
    // for each wake-up after which another contender was faster.
    boolean woken = promises(Guarantee.WAKE_UP);
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

  // ---- WA-8 ----

  @Rule(value = "WA-8", shows = "in another manager")
  void wakesAnotherManager() throws Exception {
    LockManager first = open();
    DistributedLock second = open().lock(name, onlyWhenWoken());
    for (int i = 0; i < 3; i++) {
      Lease lease = first.lock(name, onlyWhenWoken()).acquire();
      CompletableFuture<Lease> waiting = asking(second);
      awaitWaiting(name, 1);
      Check.that(!waiting.isDone(), "it waits");
      long begun = System.nanoTime();
      lease.release();
      Await.value(waiting).release();
      Check.atMost(LATE, since(begun), "the way from a release to a waiter's grant");
    }
  }

  @Rule(value = "WA-8", shows = "in another process", needs = Need.PROCESSES)
  void wakesAnotherProcess() throws Exception {
    Worker worker = worker();
    LockManager here = open();
    for (int i = 0; i < 3; i++) {
      Lease lease = here.lock(name, onlyWhenWoken()).acquire();
      CompletableFuture<WorkerLease> there = worker.lane("waiter").acquiring(name, onlyWhenWoken());
      awaitWaiting(name, 1);
      Check.that(!there.isDone(), "it waits");
      long begun = System.nanoTime();
      lease.release();
      Await.value(there).release();
      Check.atMost(LATE, since(begun), "the way from a release to another process");
    }
  }

  // ---- WA-9 ----

  // Catches a store that wakes all waiters: n waiters then send about n/2 commands per hand-over.
  @Rule(
      value = "WA-9",
      needs = {Need.REDIS, Need.VIEW})
  void handOversCostTheSame() throws Exception {
    CommandProxy proxy = proxy();
    Site site = site().by(proxy.uri());
    List<LockManager> managers = Stream.generate(site::open).limit(7).toList();
    handOvers(proxy, managers); // loads the scripts and subscribes all
    double few = leastOf(USUAL_FOR_ONE_HAND_OVER, () -> handOvers(proxy, managers.subList(0, 3)));
    Check.that(
        few <= MOST_FOR_ONE_HAND_OVER,
        "a hand-over with 2 waiters takes few commands: it took " + few);

    // A quorum whose nodes learn of a hand-over at different times occasionally asks once more.
    double most = few + (promises(Guarantee.QUORUM) ? 1.5 : 0.5);
    double many = leastOf(most, () -> handOvers(proxy, managers));
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
  private double handOvers(CommandProxy proxy, List<LockManager> managers) throws Exception {
    nextName();
    Lease held = managers.get(0).lock(name, onlyWhenWoken()).acquire();
    List<CompletableFuture<Void>> turns =
        managers.stream().skip(1).map(m -> turn(m.lock(name, onlyWhenWoken()))).toList();
    awaitInLine(name, turns.size());
    settled(proxy.counting());
    Supplier<CommandCounts> count = proxy.counting();
    long begun = System.nanoTime();
    held.release();
    turns.forEach(Await::value);
    // Before any of them would have polled.
    Check.atMost(LATE.multipliedBy(3).dividedBy(2), since(begun), "the turns of woken waiters");
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
  void leaverPassesItOn() throws Exception {
    Lease held = fixed(name, LONG).acquire();
    LockManager deaf = open(new Faults().loseWakeUps());
    CompletableFuture<Lease> leaving = asking(deaf.lock(name, onlyWhenWoken()));
    awaitInLine(name, 1);
    CompletableFuture<Lease> next = asking(open().lock(name, onlyWhenWoken()));
    awaitInLine(name, 2);
    held.release(); // wakes the first waiter, which misses the message
    long begun = System.nanoTime();
    leaving.cancel(true);
    Await.value(next).release();
    Check.atMost(LATE, since(begun), "the turn of the one behind a waiter that left");
  }

  @Rule(
      value = "WA-10",
      shows = "it left during its request",
      needs = {Need.STORE, Need.VIEW})
  void leaverGivesTheGrantBack() throws Exception {
    Lease held = fixed(name, LONG).acquire();
    Faults faults = new Faults();
    CompletableFuture<Lease> leaving = asking(open(faults).lock(name, onlyWhenWoken()));
    awaitInLine(name, 1);
    CompletableFuture<Lease> next = asking(open().lock(name, onlyWhenWoken()));
    awaitInLine(name, 2);
    Gate gate = new Gate();
    faults.next(Op.ACQUIRE, StoreFault.callHeld(gate));
    held.release();
    gate.awaitReached(); // it was woken and is about to ask
    leaving.cancel(true);
    gate.open();
    long begun = System.nanoTime();
    Await.value(next).release();
    Check.atMost(LATE, since(begun), "the turn of the one behind a waiter that left");
  }

  @Rule(
      value = "WA-10",
      shows = "it died",
      needs = {Need.PROCESSES, Need.VIEW})
  void deadWaiter() throws Exception {
    checkCostsASecond(Worker::kill, Worker::close);
  }

  @Rule(
      value = "WA-10",
      shows = "it is paused",
      needs = {Need.PROCESSES, Need.VIEW})
  void pausedWaiter() throws Exception {
    checkCostsASecond(Worker::pause, Worker::resume);
  }

  private void checkCostsASecond(Consumer<Worker> accident, Consumer<Worker> afterwards)
      throws Exception {
    Lease held = fixed(name, LONG).acquire();
    Worker worker = worker();
    CompletableFuture<WorkerLease> first =
        worker.lane("waiter").acquiring(name, LockOptions.fixed(LONG));
    awaitInLine(name, 1);
    CompletableFuture<Lease> second = asking(fixed(name, LONG));
    awaitInLine(name, 2);
    accident.accept(worker);
    try {
      held.release();
      long begun = System.nanoTime();
      Lease lease = Await.value(second);
      Duration took = since(begun);
      Check.atMost(TimeScale.seconds(1).plus(LATE), took, "the turn of the one behind it");
      Check.that(!first.isDone() || first.isCompletedExceptionally(), "the first has nothing");
      lease.release();
    } finally {
      afterwards.accept(worker);
    }
  }
}
