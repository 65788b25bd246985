package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

final class FairnessRules {
  private static final Duration LONG = TimeScale.seconds(60);
  private static final int OWNERS = 4;
  private static final Duration FIRST_WAIT = TimeScale.millis(100);
  private static final Duration CONTENTION = TimeScale.millis(400);
  private static final int LONGEST_SECTION_NANOS = 200_000;

  /** For so long at least the others wait for one that was woken; the store knows of no scale. */
  static final Duration MOMENT = Duration.ofMillis(250);

  private static final WaitStrategy OFTEN =
      new WaitStrategy(Duration.ofMillis(50), Duration.ofMillis(20), Duration.ofMillis(50));

  private static final int FEW_TURNS = 8;
  private static final long SECTION_NANOS = 10_000_000;
  private static final long GAP_NANOS = 1_000_000;

  // Catches an engine in which the one that just released is the first to take it again.
  @Rule(value = "FA-1", shows = "threads of one manager")
  void nobodyStarves(Bench bench) throws Exception {
    DistributedLock lock = bench.fixed(bench.site().open(), bench.name(), LONG);
    // Each has waited once before: to begin to listen may take as long as many turns.
    Lease held = lock.acquire();
    CountDownLatch ready = new CountDownLatch(OWNERS);
    List<CompletableFuture<Integer>> parts = new ArrayList<>();
    for (int i = 0; i < OWNERS; i++) {
      Random random = new Random(bench.random().nextLong());
      parts.add(
          bench.onThread(
              () -> {
                try {
                  Check.that(lock.tryAcquire(FIRST_WAIT).isEmpty(), "another one has it");
                } finally {
                  ready.countDown();
                }
                ready.await();
                return turns(lock, random);
              }));
    }
    Await.until("each has waited once", () -> ready.getCount() == 0);
    held.release();
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
    Rounds.untilOneCounts(() -> hasItsTurn(bench));
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
}
