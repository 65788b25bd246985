package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

final class FairnessRules extends Steps {
  private static final int OWNERS = 4;
  private static final Duration FIRST_WAIT = TimeScale.millis(100);
  private static final Duration CONTENTION = TimeScale.millis(400);
  private static final int LONGEST_SECTION_NANOS = 200_000;

  /**
   * The minimum time for which the lock is reserved for a woken waiter. Not scaled, since the store
   * does not scale it.
   */
  static final Duration MOMENT = Duration.ofMillis(250);

  private static final WaitStrategy OFTEN =
      new WaitStrategy(Duration.ofMillis(50), Duration.ofMillis(20), Duration.ofMillis(50));

  private static final int FEW_TURNS = 8;
  private static final long SECTION_NANOS = 10_000_000;
  private static final long GAP_NANOS = 1_000_000;

  // Catches an engine in which the thread that just released always takes the lock again.
  @Rule(value = "FA-1", shows = "threads of one manager")
  void nobodyStarves() throws Exception {
    DistributedLock lock = fixed(freshName(), LONG);
    // Each has waited once before: subscribing may take as long as many turns.
    Lease held = lock.acquire();
    CountDownLatch ready = new CountDownLatch(OWNERS);
    List<CompletableFuture<Integer>> parts = new ArrayList<>();
    for (int i = 0; i < OWNERS; i++) {
      Random random = new Random(bench.random().nextLong());
      parts.add(
          onThread(
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
    // A fair share is all / OWNERS; half of it is tolerance for chance and for the machine.
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

  // Catches unbounded hand-overs inside a process.
  @Rule(value = "FA-1", shows = "another process gets its turn", also = Guarantee.WAKE_UP)
  void otherProcessesHaveTheirTurn() throws Exception {
    DistributedLock busy = fixed(name, LONG);
    DistributedLock other = fixed(name, LONG);
    AtomicBoolean wanted = new AtomicBoolean(true);
    CountDownLatch running = new CountDownLatch(2);
    Check.Action turns =
        () -> {
          while (wanted.get()) {
            busy.acquire().release();
            running.countDown();
          }
        };
    List<CompletableFuture<Void>> parts = List.of(beside(turns), beside(turns));
    running.await();
    try {
      for (int i = 0; i < 3; i++) {
        other.tryAcquire(TimeScale.seconds(8)).orElseThrow().release();
      }
    } catch (NoSuchElementException starved) {
      throw new AssertionError("the other process never had its turn", starved);
    } finally {
      wanted.set(false);
    }
    parts.forEach(Await::value);
  }

  // Catches poll intervals that grow with each refusal, however short the holds of others are.
  @Rule(value = "FA-1", shows = "beside a client that keeps taking the lock", needs = Need.STORE)
  void besideOneThatNeverPauses() throws Exception {
    LeaseStore rival = store();
    AtomicBoolean end = new AtomicBoolean();
    AtomicInteger theirs = new AtomicInteger();
    CompletableFuture<Void> taking =
        beside(
            () -> {
              while (!end.get()) {
                takeTurn(rival, key(name), theirs);
              }
            });
    DistributedLock lock = fixed(name, LONG);
    long begun = System.nanoTime();
    try {
      for (int i = 0; i < FEW_TURNS; i++) {
        int before = theirs.get();
        Await.until("the other has it", () -> theirs.get() > before || taking.isDone());
        if (taking.isDone()) {
          Await.value(taking); // it has failed: with what
        }
        lock.tryAcquire(TimeScale.seconds(20)).orElseThrow().release();
      }
    } catch (NoSuchElementException starved) {
      throw new AssertionError("the waiter never had its turn", starved);
    } finally {
      end.set(true);
    }
    Duration took = since(begun);
    Await.value(taking);
    // Where a lease's end is reported in coarse steps, it takes several of them to see how short
    // the holds are.
    Duration coarse = backend().linger().multipliedBy(FEW_TURNS);
    Duration most = TimeScale.seconds(8).plus(coarse);
    Check.atMost(most, took, FEW_TURNS + " turns beside one that never pauses");
  }

  /** Holds the lock for a while, then leaves it free for a moment. */
  private void takeTurn(LeaseStore rival, LeaseKey key, AtomicInteger turns) {
    boolean[] granted = new boolean[1];
    boolean answered =
        isAnswered(() -> granted[0] = ask(rival, key, LONG) instanceof AcquireResult.Granted);
    if (granted[0]) {
      turns.incrementAndGet();
      LockSupport.parkNanos(SECTION_NANOS);
    }
    if (granted[0] || !answered) {
      Await.until("it is released", () -> isAnswered(() -> Await.value(rival.release(key))));
    }
    LockSupport.parkNanos(GAP_NANOS);
  }

  /** A quorum gives a call little time, so on a busy machine one may have no answer. */
  private static boolean isAnswered(Runnable call) {
    try {
      call.run();
      return true;
    } catch (LockStoreException unanswered) {
      if (unanswered.kind() == LockStoreException.Kind.REFUSED) {
        throw unanswered;
      }
      return false;
    }
  }

  // Catches a release that lets the fastest process win: on a starved machine that is never the
  // process that was woken.
  @Rule(
      value = "FA-1",
      shows = "a process that is slow to respond keeps its turn",
      also = Guarantee.TURNS,
      needs = {Need.STORE, Need.VIEW})
  void slowOneHasItsTurn() throws Exception {
    untilOneCounts(() -> hasItsTurn());
  }

  /** False if this machine stalled for so long that others were allowed in. */
  private boolean hasItsTurn() throws Exception {
    nextName();
    DistributedLock eager = fixed(name, LONG);
    Lease held = eager.acquire();
    Faults faults = new Faults();
    CompletableFuture<Lease> slow = waiting(name, faults);
    Gate gate = new Gate();
    faults.every(Op.ACQUIRE, StoreFault.callHeld(gate));
    gate.awaitReached(); // from here on it is as if it got no CPU time
    long begun = System.nanoTime();
    held.release(); // wakes the slow one
    Optional<Lease> passing = eager.tryAcquire();
    Duration took = since(begun);
    faults.clear();
    gate.open();
    if (passing.isPresent()) {
      passing.get().release();
      Await.value(slow).release();
      Check.that(took.compareTo(MOMENT) > 0, "no other client gets in before the woken waiter");
      return false;
    }
    Await.value(slow).release();
    return true;
  }

  // Catches a line that a waiter must rejoin at its end after each turn it missed.
  @Rule(
      value = "FA-1",
      shows = "a waiter that missed its turn keeps its place",
      also = Guarantee.TURNS,
      needs = {Need.STORE, Need.VIEW})
  void whoMissedItsTurnIsNext() throws Exception {
    DistributedLock eager = fixed(name, LONG);
    Lease held = eager.acquire();
    Faults faults = new Faults();
    CompletableFuture<Lease> slow = waiting(name, faults);
    Gate gate = new Gate();
    faults.every(Op.ACQUIRE, StoreFault.callHeld(gate));
    gate.awaitReached();
    held.release();
    Lease taken = eager.acquire(); // the lock is reserved for the slow one for a moment only
    CompletableFuture<Lease> later = waiting(name, new Faults());
    faults.clear();
    int asked = faults.count(Op.ACQUIRE);
    gate.open();
    Await.until("it was refused", () -> faults.count(Op.ACQUIRE) > asked + 1);
    awaitWaiting(name, 2);
    taken.release();
    Await.until("one of them has its turn", () -> slow.isDone() || later.isDone());
    Check.that(!later.isDone(), "the one that came first has its turn first");
    Await.value(slow).release();
    Await.value(later).release();
  }

  /** Starts a waiter and returns once it is visible as such. */
  private CompletableFuture<Lease> waiting(String lockName, Faults faults) throws Exception {
    // Without wake-ups it polls often; it is still the one that has waited longest.
    LockOptions often = LockOptions.fixed(LONG).toBuilder().waitStrategy(OFTEN).build();
    DistributedLock lock = open(faults).lock(lockName, often);
    CompletableFuture<Lease> waiting = asking(lock);
    awaitWaiting(lockName, 1);
    Await.until("it was refused", () -> faults.count(Op.ACQUIRE) > 1);
    return waiting;
  }
}
