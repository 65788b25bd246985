package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.Latching.BRIEF;
import static dev.leasehold.testkit.rules.Latching.LONG;
import static dev.leasehold.testkit.rules.Latching.SHORT_WAIT;
import static dev.leasehold.testkit.rules.Latching.SOON;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LatchExpiredException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

final class LatchRules {
  // ---- CL-1 ----

  @Rule(value = "CL-1", shows = "waiters, and later arrivals")
  void allPass(Bench bench) throws Exception {
    String name = bench.name();
    List<LockManager> managers = List.of(bench.site().open(), bench.site().open());
    DistributedLatch gate = managers.get(0).latch(name);
    Check.that(gate.open(2, LONG), "the first call opens it");
    List<CompletableFuture<Boolean>> waiting = waiting(bench, managers, name);
    Check.that(!managers.get(1).latch(name).open(5, LONG), "it is open already");
    Check.that(gate.countDown(), "the first counts");
    Check.equal(OptionalInt.of(1), managers.get(1).latch(name).count(), "what is missing");
    Check.that(!gate.await(SHORT_WAIT), "one is missing");
    Check.that(
        waiting.stream().noneMatch(CompletableFuture::isDone), "no waiter passes before zero");
    Check.that(managers.get(1).latch(name).countDown(), "the second counts");
    for (CompletableFuture<Boolean> waiter : waiting) {
      Check.that(Await.value(waiter), "all waiters pass");
    }
    Check.that(gate.await(Duration.ZERO), "a later waiter passes at once");
    Check.that(!gate.countDown(), "at zero there is nothing to take off");
    Check.that(!gate.open(3, LONG), "at zero it stays as it is");
  }

  private static List<CompletableFuture<Boolean>> waiting(
      Bench bench, List<LockManager> managers, String name) {
    List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      DistributedLatch mine = managers.get(i % 2).latch(name);
      waiting.add(bench.onThread(() -> mine.await(LONG)));
    }
    return waiting;
  }

  @Rule(value = "CL-1", shows = "waiters from before it was opened", also = Guarantee.LATCH_OPENING)
  void beforeOpening(Bench bench) throws Exception {
    String name = bench.name();
    List<LockManager> managers = List.of(bench.site().open(), bench.site().open());
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      waiting.add(managers.get(i % 2).latch(name).awaitAsync().toCompletableFuture());
    }
    for (LockManager manager : managers) {
      // Sent after the countdowns, so its answer comes after theirs.
      Check.equal(OptionalInt.empty(), manager.latch(name).count(), "what is missing");
    }
    DistributedLatch gate = managers.get(0).latch(name);
    Check.that(gate.open(1, LONG), "it was not open");
    Check.that(!gate.await(SHORT_WAIT), "one is missing");
    Check.that(
        waiting.stream().noneMatch(CompletableFuture::isDone), "no waiter passes before zero");
    gate.countDown();
    waiting.forEach(Await::value); // all waiters pass
  }

  @Rule(value = "CL-1", shows = "no waiter passes before the last count-down of a crowd")
  void crowd(Bench bench) {
    int workers = 4;
    int each = 5;
    String name = bench.name();
    List<LockManager> managers = List.of(bench.site().open(), bench.site().open());
    AtomicInteger done = new AtomicInteger();
    managers.get(0).latch(name).open(workers * each, LONG);
    List<CompletableFuture<Integer>> seen = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      DistributedLatch mine = managers.get(i % 2).latch(name);
      seen.add(
          bench.onThread(
              () -> {
                mine.await();
                return done.get();
              }));
    }
    for (int i = 0; i < workers; i++) {
      DistributedLatch mine = managers.get(i % 2).latch(name);
      bench.onThread(
          () -> {
            for (int k = 0; k < each; k++) {
              done.incrementAndGet();
              mine.countDown();
            }
            return true;
          });
    }
    seen.forEach(one -> Check.equal(workers * each, Await.value(one), "what was done by then"));
  }

  @Rule(value = "CL-1", shows = "the message is lost", needs = Need.STORE)
  void messageLost(Bench bench) throws Exception {
    String name = bench.name();
    Faults faults = new Faults().loseWakeUps();
    DistributedLatch waiting = bench.site().open(faults).latch(name);
    DistributedLatch gate = bench.site().open().latch(name);
    gate.open(1, LONG);
    CompletableFuture<Boolean> passed = bench.onThread(() -> waiting.await(LONG));
    // A waiter that passes at once asks once; one that waits asks twice.
    Await.until("it waits", () -> faults.count(Op.LOOK) >= 2);
    gate.countDown();
    Check.that(passed.get(SOON.toMillis(), TimeUnit.MILLISECONDS), "it passes");
  }

  @Rule(value = "CL-1", shows = "the message reaches all", also = Guarantee.WAKE_UP)
  void woken(Bench bench) throws Exception {
    String name = bench.name();
    List<Faults> asked = List.of(new Faults(), new Faults(), new Faults());
    List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    bench.site().open().latch(name).open(1, LONG);
    for (Faults faults : asked) {
      LockManager manager =
          bench.site().open(faults, builder -> builder.defaults(Latching.PATIENT));
      waiting.add(bench.onThread(() -> manager.latch(name).await(LONG)));
    }
    for (Faults faults : asked) {
      // A waiter asks for the second time once it is subscribed.
      Await.until("it listens", () -> faults.count(Op.LOOK) >= 2);
    }
    Await.pass(SHORT_WAIT);
    bench.site().open().latch(name).countDown();
    for (CompletableFuture<Boolean> waiter : waiting) {
      Check.that(
          waiter.get(SOON.toMillis(), TimeUnit.MILLISECONDS),
          "all are woken, long before they look again");
    }
  }

  // ---- CL-2 ----

  @Rule(value = "CL-2", shows = "its answer is lost", needs = Need.STORE)
  void answerLost(Bench bench) {
    for (StoreFault fault : List.of(StoreFault.answerLost(), StoreFault.answerBroken())) {
      Faults faults = new Faults();
      LockManager manager = bench.site().open(faults, Latching::brisk);
      DistributedLatch gate = manager.latch(bench.name());
      gate.open(3, LONG);
      faults.next(Op.COUNT_DOWN, fault);
      Check.that(gate.countDown(), "it counts");
      Check.equal(2, faults.count(Op.COUNT_DOWN), "how often it was sent");
      Check.equal(OptionalInt.of(2), gate.count(), "what is missing");
    }
  }

  @Rule(value = "CL-2", shows = "the answer to its opening is lost", needs = Need.STORE)
  void openLost(Bench bench) {
    Faults faults = new Faults();
    DistributedLatch gate = bench.site().open(faults, Latching::brisk).latch(bench.name());
    faults.next(Op.OPEN, StoreFault.answerLost());
    Check.that(gate.open(2, LONG), "it was this call that opened it");
    Check.equal(OptionalInt.of(2), gate.count(), "what is missing");
  }

  @Rule(value = "CL-2", shows = "a request that is repeated, and late", needs = Need.STORE)
  void comesAgain(Bench bench) {
    String name = bench.name();
    Latches latches = ((LatchStore) bench.site().store()).latches();
    LeaseKey round = bench.key(name);
    LeaseKey once = bench.key(name);
    Check.that(Await.value(latches.open(round, 2, BRIEF)), "it opens");
    Check.that(Await.value(latches.countDown(once)), "it counts");
    Check.that(Await.value(latches.countDown(once)), "it has counted");
    Check.that(Await.value(latches.open(round, 2, BRIEF)), "it is its own round");
    Latching.checkCount(latches, bench.key(name), 1);
    Await.until(
        "it is over, and opened anew", () -> Await.value(latches.open(bench.key(name), 2, LONG)));
    Check.that(Await.value(latches.countDown(once)), "it counted in the round before");
    Latching.checkCount(latches, bench.key(name), 2);
  }

  // ---- CL-3 ----

  @Rule(value = "CL-3", shows = "expired before it is at zero")
  void over(Bench bench) {
    String name = bench.name();
    LockManager manager = bench.site().open();
    LockManager other = bench.site().open();
    DistributedLatch gate = manager.latch(name);
    gate.open(2, BRIEF);
    CompletableFuture<Void> waiter = gate.awaitAsync().toCompletableFuture();
    CompletableFuture<Void> elsewhere = other.latch(name).awaitAsync().toCompletableFuture();
    gate.countDown();
    Check.fails(LatchExpiredException.class, "a waiting request", () -> Await.value(waiter));
    Check.fails(LatchExpiredException.class, "a waiter elsewhere", () -> Await.value(elsewhere));
    Check.equal(OptionalInt.empty(), gate.count(), "what is missing of one that is over");
    Check.that(!gate.countDown(), "there is nothing to take off");
    Check.that(gate.open(1, LONG), "it can be opened anew");
    Check.that(gate.countDown(), "and counts");
    Await.value(gate.awaitAsync());
  }

  @Rule(
      value = "CL-3",
      shows = "a short one that expires under a waiter",
      also = Guarantee.LATCH_OPENING)
  void overMeanwhile(Bench bench) {
    String name = bench.name();
    CompletableFuture<Void> waiter =
        bench.site().open().latch(name).awaitAsync().toCompletableFuture();
    DistributedLatch gate = bench.site().open().latch(name);
    gate.open(1, Duration.ofMillis(1));
    Check.fails(LatchExpiredException.class, "a waiting request", () -> Await.value(waiter));
  }

  @Rule(value = "CL-3", shows = "one that was never opened is waited for, or is at zero")
  void neverOpened(Bench bench) throws Exception {
    DistributedLatch gate = bench.site().open().latch(bench.name());
    Check.equal(OptionalInt.empty(), gate.count(), "what is missing");
    if (bench.guarantees().contains(Guarantee.LATCH_OPENING)) {
      Check.that(!gate.await(Duration.ZERO), "no waiter passes");
      Check.that(!gate.await(SHORT_WAIT), "no waiter passes");
    } else {
      Check.that(gate.await(Duration.ZERO), "a request that does not wait passes");
      Check.that(gate.await(SOON), "a request with a wait passes");
      Await.value(gate.awaitAsync());
    }
    Check.that(!gate.countDown(), "there is nothing to take off");
  }

  // ---- CL-4 ----

  @Rule("CL-4")
  void notOnQuorums(Bench bench) {
    LockManager manager = bench.site().open();
    LockConfigurationException refusal =
        Check.fails(
            LockConfigurationException.class, "a quorum's latch", () -> manager.latch("loaded"));
    String words = String.valueOf(refusal.getMessage());
    Check.that(
        words.contains("quorum") && words.contains("redis-set"),
        "it says why, and which backends have latches: " + words);
  }
}
