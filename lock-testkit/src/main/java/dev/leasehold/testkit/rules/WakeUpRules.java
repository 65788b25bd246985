package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Fault;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.worker.Worker;
import dev.leasehold.testkit.worker.WorkerLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

final class WakeUpRules {
  private static final Duration SLACK = TimeScale.seconds(3);

  // ---- WA-8 ----

  @Rule(value = "WA-8", shows = "another manager", needs = Need.STORE)
  void wokenAtOnce(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.site().open().lock(name).acquire();
    CompletableFuture<Lease> waiter =
        Waiters.waiting(bench.site(), new Faults(), name, Waiters.HARDLY_POLLING);
    long start = System.nanoTime();
    held.release();
    Await.value(waiter).release();
    Check.atMost(SLACK, Waiters.since(start), "the time from the release to the waiter's grant");
  }

  @Rule(value = "WA-8", shows = "another process", needs = Need.PROCESSES)
  void wokenInAnotherProcess(Bench bench) throws Exception {
    String name = bench.name();
    LockManager here = bench.site().open();
    Worker there = bench.site().worker();
    Lease held = here.lock(name).acquire();
    CompletableFuture<WorkerLease> waiter = there.lane("w").acquiring(name, Waiters.HARDLY_POLLING);
    Await.until("it stands in line", () -> Waiters.inLine(bench, name) > 0);
    long start = System.nanoTime();
    held.release();
    Await.value(waiter).release();
    Check.atMost(SLACK, Waiters.since(start), "the time from the release to the waiter's grant");
  }

  // ---- WA-9 ----

  @Rule(value = "WA-9", needs = Need.STORE)
  void commandsPerHandOver(Bench bench) throws Exception {
    for (int waiters : new int[] {2, 4, 8}) {
      int calls = handOvers(bench, waiters);
      Check.atMost(3L * waiters, calls, "the calls of " + waiters + " hand-overs among as many");
    }
  }

  /** Managers stand in line, and each gives the lock back at once; how many calls that took. */
  private static int handOvers(Bench bench, int waiters) throws Exception {
    String name = bench.name();
    Lease held = bench.site().open().lock(name).acquire();
    List<Faults> counters = new ArrayList<>();
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (int i = 0; i < waiters; i++) {
      Faults counter = new Faults();
      counters.add(counter);
      ends.add(
          Waiters.waiting(bench.site(), counter, name, Waiters.HARDLY_POLLING)
              .thenCompose(Lease::releaseAsync)
              .toCompletableFuture());
    }
    int before = counters.stream().mapToInt(Faults::count).sum();
    held.release();
    ends.forEach(Await::value);
    return counters.stream().mapToInt(Faults::count).sum() - before;
  }

  // ---- WA-10 ----

  @Rule(value = "WA-10", shows = "it left", needs = Need.STORE)
  void wokenAndLeft(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.site().open().lock(name).acquire();
    Faults faults = new Faults();
    Gate gate = new Gate();
    CompletableFuture<Lease> first =
        Waiters.waiting(bench.site(), faults, name, Waiters.HARDLY_POLLING);
    CompletableFuture<Lease> second =
        Waiters.waiting(bench.site(), new Faults(), name, Waiters.HARDLY_POLLING);
    faults.next(Op.ACQUIRE, Fault.callHeld(gate));
    held.release();
    gate.awaitReached(); // the first was woken, and is about to ask
    first.cancel(true);
    gate.open();
    long start = System.nanoTime();
    Await.value(second).release();
    Check.atMost(SLACK, Waiters.since(start), "the time until the second waiter's grant");
  }

  @Rule(
      value = "WA-10",
      shows = "it died",
      needs = {Need.PROCESSES, Need.STORE})
  void wokenAndDied(Bench bench) throws Exception {
    firstOfTwo(bench, Worker::kill);
  }

  @Rule(
      value = "WA-10",
      shows = "it is paused",
      needs = {Need.PROCESSES, Need.STORE})
  void wokenAndPaused(Bench bench) throws Exception {
    firstOfTwo(bench, Worker::pause);
  }

  private static void firstOfTwo(Bench bench, java.util.function.Consumer<Worker> mishap)
      throws Exception {
    String name = bench.name();
    Worker there = bench.site().worker();
    Lease held = bench.site().open().lock(name).acquire();
    CompletableFuture<WorkerLease> first =
        there.lane("w").acquiring(name, LockOptions.fixed(TimeScale.millis(500)));
    Await.until("it stands in line", () -> Waiters.inLine(bench, name) == 1);
    CompletableFuture<Lease> second =
        Waiters.waiting(bench.site(), new Faults(), name, LockOptions.defaults());
    mishap.accept(there);
    Check.that(!first.isDone() || first.isCompletedExceptionally(), "the first has nothing");
    long start = System.nanoTime();
    held.release();
    Lease lease = Await.value(second);
    Duration bound = WaitStrategy.defaults().longest().plus(SLACK);
    Check.atMost(bound, Waiters.since(start), "the time until the second waiter's grant");
    lease.release();
  }
}
