package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.view.ServerView;
import dev.leasehold.testkit.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

final class FairnessRules {
  private static final Duration LONG = TimeScale.seconds(60);
  private static final Duration SLACK = TimeScale.seconds(2);
  private static final int OWNERS = 4;
  private static final Duration CONTENTION = TimeScale.millis(400);
  private static final int LONGEST_SECTION_NANOS = 200_000;

  /** For so long at least the others wait for one that was woken; the store knows of no scale. */
  private static final Duration MOMENT = Duration.ofMillis(250);

  private static final WaitStrategy OFTEN =
      new WaitStrategy(Duration.ofMillis(50), Duration.ofMillis(20), Duration.ofMillis(50));

  private static final int CHANCES = 20;

  private static final int FEW_TURNS = 8;
  private static final long SECTION_NANOS = 10_000_000;
  private static final long GAP_NANOS = 1_000_000;

  // ---- FA-1 ----

  // Catches an engine in which the one that just released is the first to take it again.
  @Rule(value = "FA-1", shows = "threads of one manager")
  void nobodyStarves(Bench bench) throws Exception {
    DistributedLock lock = bench.fixed(bench.site().open(), bench.name(), LONG);
    CountDownLatch ready = new CountDownLatch(OWNERS);
    List<CompletableFuture<Integer>> parts = new ArrayList<>();
    for (int i = 0; i < OWNERS; i++) {
      Random random = new Random(bench.random().nextLong());
      parts.add(
          bench.onThread(
              () -> {
                ready.countDown();
                ready.await();
                return turns(lock, random);
              }));
    }
    List<Integer> turns = parts.stream().map(Await::value).toList();
    int all = turns.stream().mapToInt(Integer::intValue).sum();
    int least = turns.stream().mapToInt(Integer::intValue).min().orElseThrow();
    Check.that(all > OWNERS, "they took turns at all: " + turns);
    // A fair part is all / OWNERS; half of it is left to chance and the machine.
    Check.that(least * 2 * OWNERS >= all, "each has at least half of a fair part: " + turns);
  }

  private static int turns(DistributedLock lock, Random random) throws InterruptedException {
    long begun = System.nanoTime();
    int turns = 0;
    while (System.nanoTime() - begun < CONTENTION.toNanos()) {
      Lease lease = lock.acquire();
      LockSupport.parkNanos(random.nextInt(LONGEST_SECTION_NANOS));
      lease.release();
      turns++;
    }
    return turns;
  }

  // Catches hand-overs inside a process that have no bound.
  @Rule(value = "FA-1", shows = "another process has its turn", also = Guarantee.WAKE_UP)
  void otherProcessesHaveTheirTurn(Bench bench) throws Exception {
    String name = bench.name();
    DistributedLock busy = bench.fixed(bench.site().open(), name, LONG);
    DistributedLock other = bench.fixed(bench.site().open(), name, LONG);
    CompletableFuture<Lease> wanted = new CompletableFuture<>();
    CountDownLatch running = new CountDownLatch(2);
    List<CompletableFuture<Integer>> parts = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      parts.add(bench.onThread(() -> turnsUntil(busy, wanted, running)));
    }
    running.await();
    try {
      for (int i = 0; i < 3; i++) {
        other.tryAcquire(TimeScale.seconds(8)).orElseThrow().release();
      }
    } catch (NoSuchElementException starved) {
      throw new AssertionError("the other process never had its turn", starved);
    } finally {
      wanted.cancel(true);
    }
    parts.forEach(Await::value);
  }

  private static int turnsUntil(
      DistributedLock lock, CompletableFuture<?> end, CountDownLatch running)
      throws InterruptedException {
    int turns = 0;
    while (!end.isDone()) {
      lock.acquire().release();
      running.countDown();
      turns++;
    }
    return turns;
  }

  // Catches pauses that grow with each refusal, however short others hold the lock.
  @Rule(
      value = "FA-1",
      shows = "beside one that takes the lock again and again",
      needs = Need.STORE)
  void besideOneThatNeverPauses(Bench bench) throws Exception {
    String name = bench.name();
    LeaseStore rival = bench.site().store();
    CompletableFuture<Void> end = new CompletableFuture<>();
    AtomicInteger theirs = new AtomicInteger();
    CompletableFuture<Void> taking =
        bench.onThread(
            () -> {
              while (!end.isDone()) {
                takeTurn(bench, rival, bench.key(name), theirs);
              }
              return null;
            });
    DistributedLock lock = bench.fixed(bench.site().open(), name, LONG);
    long begun = System.nanoTime();
    try {
      for (int i = 0; i < FEW_TURNS; i++) {
        int before = theirs.get();
        Await.until("the other has it", () -> theirs.get() > before);
        lock.tryAcquire(TimeScale.seconds(20)).orElseThrow().release();
      }
    } catch (NoSuchElementException starved) {
      throw new AssertionError("the waiter never had its turn", starved);
    } finally {
      end.complete(null);
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    Await.value(taking);
    // Where a lease's end is told in coarse steps, it takes some of them to see how short holds
    // are.
    Duration coarse = bench.site().backend().linger().multipliedBy(FEW_TURNS);
    Duration most = TimeScale.seconds(8).plus(coarse);
    Check.atMost(most, took, FEW_TURNS + " turns beside one that never pauses");
  }

  /** The lock is held for a while, and then free for a moment. */
  private static void takeTurn(Bench bench, LeaseStore rival, LeaseKey key, AtomicInteger turns) {
    if (bench.site().ask(rival, key, LONG) instanceof AcquireResult.Granted) {
      turns.incrementAndGet();
      LockSupport.parkNanos(SECTION_NANOS);
      Await.value(rival.release(key));
    }
    LockSupport.parkNanos(GAP_NANOS);
  }

  // Catches a release that frees the lock for whoever is the fastest: on a starved machine that is
  // never the process that was woken.
  @Rule(
      value = "FA-1",
      shows = "a process that is slow to come has its turn",
      also = Guarantee.TURNS,
      needs = {Need.STORE, Need.VIEW})
  void slowOneHasItsTurn(Bench bench) throws Exception {
    for (int i = 0; i < CHANCES; i++) {
      if (hasItsTurn(bench)) {
        return;
      }
    }
    throw new AssertionError("in none of " + CHANCES + " rounds was this machine fast enough");
  }

  /** False if others came in only when they had to, because this machine stood still. */
  private static boolean hasItsTurn(Bench bench) throws Exception {
    String name = bench.name();
    DistributedLock eager = bench.fixed(bench.site().open(), name, LONG);
    Lease held = eager.acquire();
    Faults faults = new Faults();
    CompletableFuture<Lease> slow = waiting(bench, name, faults);
    Gate gate = new Gate();
    faults.every(Op.ACQUIRE, StoreFault.callHeld(gate));
    gate.awaitReached(); // from now on it gets no processor
    long begun = System.nanoTime();
    held.release(); // and it is woken
    Optional<Lease> passing = eager.tryAcquire();
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    faults.clear();
    gate.open();
    if (passing.isPresent()) {
      passing.get().release();
      Await.value(slow).release();
      Check.that(took.compareTo(MOMENT) > 0, "nobody gets in before the one that was woken");
      return false;
    }
    Await.value(slow).release();
    return true;
  }

  // Catches a line that one has to join anew, at its end, after each turn that it missed.
  @Rule(
      value = "FA-1",
      shows = "who missed its turn keeps its place",
      also = Guarantee.TURNS,
      needs = {Need.STORE, Need.VIEW})
  void whoMissedItsTurnIsNext(Bench bench) throws Exception {
    String name = bench.name();
    DistributedLock eager = bench.fixed(bench.site().open(), name, LONG);
    Lease held = eager.acquire();
    Faults faults = new Faults();
    CompletableFuture<Lease> slow = waiting(bench, name, faults);
    Gate gate = new Gate();
    faults.every(Op.ACQUIRE, StoreFault.callHeld(gate));
    gate.awaitReached();
    held.release();
    Lease taken = eager.acquire(); // others wait for the slow one a moment only
    CompletableFuture<Lease> later = waiting(bench, name, new Faults());
    faults.clear();
    int asked = faults.count(Op.ACQUIRE);
    gate.open();
    Await.until("it was refused", () -> faults.count(Op.ACQUIRE) > asked + 1);
    awaitInLine(bench, name, 2);
    taken.release();
    Await.until("one of them has its turn", () -> slow.isDone() || later.isDone());
    Check.that(!later.isDone(), "the one that came first has its turn first");
    Await.value(slow).release();
    Await.value(later).release();
  }

  /** One that waits, as others can see. */
  private static CompletableFuture<Lease> waiting(Bench bench, String name, Faults faults)
      throws Exception {
    // Where nothing wakes it, it asks often: it is the one that waits longest all the same.
    LockOptions often = LockOptions.fixed(LONG).toBuilder().waitStrategy(OFTEN).build();
    DistributedLock lock = bench.site().open(faults).lock(name, often);
    CompletableFuture<Lease> waiting = lock.acquireAsync().toCompletableFuture();
    awaitInLine(bench, name, 1);
    Await.until("it was refused", () -> faults.count(Op.ACQUIRE) > 1);
    return waiting;
  }

  /** Where there is no line to look at, they are there when they were refused. */
  private static void awaitInLine(Bench bench, String name, int waiters) {
    if (bench.guarantees().contains(Guarantee.WAKE_ONE)) {
      Await.until(waiters + " stand in line", () -> bench.site().view().hasWaiting(name, waiters));
    }
  }

  // ---- FA-2 ----

  @Rule(value = "FA-2", shows = "in the order of arrival", needs = Need.VIEW)
  void grantsFollowArrival(Bench bench) throws Exception {
    for (int i = 0; i < CHANCES; i++) {
      if (areGrantedInOrder(bench)) {
        return;
      }
    }
    throw new AssertionError("in none of " + CHANCES + " rounds was this machine fast enough");
  }

  /** False if somebody may have missed its turn, because this machine stood still. */
  private static boolean areGrantedInOrder(Bench bench) throws Exception {
    String name = bench.name();
    ServerView view = bench.site().view();
    Lease held = bench.fixed(bench.site().open(), name, LONG).acquire();
    List<LockManager> managers =
        List.of(bench.site().open(), bench.site().open(), bench.site().open());
    List<Integer> order = new CopyOnWriteArrayList<>();
    List<Integer> arrivals = new ArrayList<>();
    List<CompletableFuture<Void>> turns = new ArrayList<>();
    AtomicLong passedOn = new AtomicLong();
    AtomicLong longest = new AtomicLong();
    for (int i = 0; i < 2 * managers.size(); i++) {
      // Each process has a waiter among the first and one among the last.
      int number = i;
      DistributedLock lock = bench.fixed(managers.get(i % managers.size()), name, LONG);
      arrivals.add(number);
      turns.add(
          lock.acquireAsync()
              .thenCompose(
                  lease -> {
                    order.add(number);
                    long now = System.nanoTime();
                    longest.accumulateAndGet(now - passedOn.getAndSet(now), Math::max);
                    return lease.releaseAsync();
                  })
              .toCompletableFuture());
      Await.until("it stands in line", () -> view.hasWaiting(name, number + 1));
    }
    passedOn.set(System.nanoTime());
    held.release();
    turns.forEach(Await::value);
    boolean inOrder = arrivals.equals(order);
    if (!inOrder && longest.get() > MOMENT.toNanos()) {
      return false;
    }
    Check.equal(arrivals, List.copyOf(order), "the order of grants");
    return true;
  }

  // Catches a line that only those follow who have already been refused.
  @Rule(
      value = "FA-2",
      shows = "who comes later does not pass",
      needs = {Need.STORE, Need.VIEW})
  void nobodyPasses(Bench bench) throws Exception {
    for (int i = 0; i < CHANCES; i++) {
      if (isNotPassed(bench)) {
        return;
      }
    }
    throw new AssertionError("in none of " + CHANCES + " rounds was this machine fast enough");
  }

  /** False if the later one came in only when it had to, because this machine stood still. */
  private static boolean isNotPassed(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.fixed(bench.site().open(), name, LONG).acquire();
    Faults faults = new Faults();
    DistributedLock first = bench.fixed(bench.site().open(faults), name, LONG);
    CompletableFuture<Lease> waiting = first.acquireAsync().toCompletableFuture();
    Await.until("it stands in line", () -> bench.site().view().hasWaiting(name, 1));
    Gate gate = new Gate();
    faults.every(Op.ACQUIRE, StoreFault.callHeld(gate));
    long begun = System.nanoTime();
    held.release();
    gate.awaitReached(); // the lock is free, and the first is on its way to it
    DistributedLock late = bench.fixed(bench.site().open(), name, LONG);
    CompletableFuture<Lease> passing = late.acquireAsync().toCompletableFuture();
    // Where the lock is kept for the one that was woken, that one has left the line.
    int behind = bench.guarantees().contains(Guarantee.TURNS) ? 1 : 2;
    Await.until(
        "it stands behind the first, or has passed it",
        () -> passing.isDone() || bench.site().view().hasWaiting(name, behind));
    faults.clear();
    gate.open();
    Await.until("one of them has it", () -> waiting.isDone() || passing.isDone());
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    if (passing.isDone()) {
      Await.value(passing).release();
      Await.value(waiting).release();
      Check.that(
          took.compareTo(MOMENT) > 0, "the one that came later waits although the lock is free");
      return false;
    }
    Await.value(waiting).release();
    Await.value(passing).release();
    return true;
  }

  // ---- FA-3 ----

  @Rule(
      value = "FA-3",
      needs = {Need.PROCESSES, Need.VIEW})
  void deadWaiterCostsLittle(Bench bench) throws Exception {
    String name = bench.name();
    ServerView view = bench.site().view();
    Lease held = bench.fixed(bench.site().open(), name, LONG).acquire();
    Worker worker = bench.site().worker();
    Duration itsTime = TimeScale.seconds(3);
    var dying = worker.lane("waiter").trying(name, LockOptions.fixed(LONG), itsTime);
    Await.until("the first stands in line", () -> view.hasWaiting(name, 1));
    CompletableFuture<Lease> second =
        bench.fixed(bench.site().open(), name, LONG).acquireAsync().toCompletableFuture();
    Await.until("the second stands in line", () -> view.hasWaiting(name, 2));
    worker.kill();
    Check.that(!dying.isDone() || dying.isCompletedExceptionally(), "the dead one got nothing");
    held.release();
    long begun = System.nanoTime();
    Await.value(second).release();
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    Check.atMost(itsTime.plus(SLACK), took, "the turn of the one behind a dead waiter");
  }
}
