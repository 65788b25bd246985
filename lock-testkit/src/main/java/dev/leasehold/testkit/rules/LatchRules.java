package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LatchExpiredException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.testkit.Await;
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
import java.util.stream.IntStream;

/** Latches, and the general rules of waiting applied to them. */
final class LatchRules extends LatchSteps {
  // ---- CL-1 ----

  @Rule(value = "CL-1", shows = "waiters, and later arrivals")
  void allPass() throws Exception {
    List<LockManager> managers = List.of(open(), open());
    DistributedLatch gate = managers.get(0).latch(name);
    DistributedLatch other = managers.get(1).latch(name);
    Check.that(gate.open(2, LONG), "the first call opens it");
    List<CompletableFuture<Boolean>> waiting =
        IntStream.range(0, 6)
            .mapToObj(i -> onThread(() -> managers.get(i % 2).latch(name).await(LONG)))
            .toList();
    Check.that(!other.open(5, LONG), "it is open already");
    Check.that(gate.countDown(), "the first counts");
    Check.equal(OptionalInt.of(1), other.count(), "what is missing");
    Check.that(!answered(() -> gate.await(SHORT_WAIT)), "one is missing");
    Check.that(
        waiting.stream().noneMatch(CompletableFuture::isDone), "no waiter passes before zero");
    Check.that(other.countDown(), "the second counts");
    waiting.forEach(waiter -> Check.that(Await.value(waiter), "all waiters pass"));
    Check.that(gate.await(Duration.ZERO), "a later waiter passes at once");
    Check.that(!gate.countDown(), "at zero there is nothing to take off");
    Check.that(!gate.open(3, LONG), "at zero it stays as it is");
  }

  @Rule(value = "CL-1", shows = "waiters from before it was opened", also = Guarantee.LATCH_OPENING)
  void beforeOpening() throws Exception {
    List<LockManager> managers = List.of(open(), open());
    List<CompletableFuture<Void>> waiting =
        IntStream.range(0, 6).mapToObj(i -> awaiting(managers.get(i % 2).latch(name))).toList();
    for (LockManager manager : managers) {
      // Sent after the countdowns, so its answer comes after theirs.
      Check.equal(OptionalInt.empty(), manager.latch(name).count(), "what is missing");
    }
    DistributedLatch gate = managers.get(0).latch(name);
    Check.that(gate.open(1, LONG), "it was not open");
    Check.that(!answered(() -> gate.await(SHORT_WAIT)), "one is missing");
    Check.that(
        waiting.stream().noneMatch(CompletableFuture::isDone), "no waiter passes before zero");
    gate.countDown();
    waiting.forEach(Await::value); // all waiters pass
  }

  @Rule(value = "CL-1", shows = "no waiter passes before the last count-down of a crowd")
  void crowd() {
    int workers = 4;
    int each = 5;
    List<LockManager> managers = List.of(open(), open());
    AtomicInteger done = new AtomicInteger();
    managers.get(0).latch(name).open(workers * each, LONG);
    List<CompletableFuture<Integer>> seen = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      DistributedLatch mine = managers.get(i % 2).latch(name);
      seen.add(
          onThread(
              () -> {
                mine.await();
                return done.get();
              }));
    }
    for (int i = 0; i < workers; i++) {
      DistributedLatch mine = managers.get(i % 2).latch(name);
      beside(
          () -> {
            for (int k = 0; k < each; k++) {
              done.incrementAndGet();
              mine.countDown();
            }
          });
    }
    seen.forEach(one -> Check.equal(workers * each, Await.value(one), "what was done by then"));
  }

  @Rule(value = "CL-1", shows = "the message is lost", needs = Need.STORE)
  void messageLost() throws Exception {
    Faults faults = new Faults().loseWakeUps();
    DistributedLatch waiting = open(faults).latch(name);
    DistributedLatch gate = latch();
    gate.open(1, LONG);
    CompletableFuture<Boolean> passed = onThread(() -> waiting.await(LONG));
    // A waiter that passes at once asks once; one that waits asks twice.
    Await.until("it waits", () -> faults.count(Op.LOOK) >= 2);
    gate.countDown();
    Check.that(passed.get(SOON.toMillis(), TimeUnit.MILLISECONDS), "it passes");
  }

  @Rule(value = "CL-1", shows = "the message reaches all", also = Guarantee.WAKE_UP)
  void woken() throws Exception {
    List<Faults> asked = List.of(new Faults(), new Faults(), new Faults());
    List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    latch().open(1, LONG);
    for (Faults faults : asked) {
      LockManager manager = patient(faults);
      waiting.add(onThread(() -> manager.latch(name).await(LONG)));
    }
    for (Faults faults : asked) {
      // A waiter asks for the second time once it is subscribed.
      Await.until("it listens", () -> faults.count(Op.LOOK) >= 2);
    }
    Await.pass(SHORT_WAIT);
    latch().countDown();
    for (CompletableFuture<Boolean> waiter : waiting) {
      Check.that(
          waiter.get(SOON.toMillis(), TimeUnit.MILLISECONDS),
          "all are woken, long before they look again");
    }
  }

  // ---- CL-2 ----

  @Rule(value = "CL-2", shows = "its answer is lost", needs = Need.STORE)
  void answerLost() {
    for (StoreFault fault : List.of(StoreFault.answerLost(), StoreFault.answerBroken())) {
      Faults faults = new Faults();
      DistributedLatch gate = brisk(faults).latch(freshName());
      gate.open(3, LONG);
      faults.next(Op.COUNT_DOWN, fault);
      Check.that(gate.countDown(), "it counts");
      // A stall of the machine may cost the repetition its answer, too.
      Check.that(faults.count(Op.COUNT_DOWN) >= 2, "it was sent again");
      Check.equal(OptionalInt.of(2), gate.count(), "what is missing");
    }
  }

  @Rule(value = "CL-2", shows = "the answer to its opening is lost", needs = Need.STORE)
  void openLost() {
    Faults faults = new Faults();
    DistributedLatch gate = brisk(faults).latch(name);
    faults.next(Op.OPEN, StoreFault.answerLost());
    Check.that(gate.open(2, LONG), "it was this call that opened it");
    Check.equal(OptionalInt.of(2), gate.count(), "what is missing");
  }

  @Rule(value = "CL-2", shows = "a request that is repeated, and late", needs = Need.STORE)
  void comesAgain() {
    Latches latches = ((LatchStore) store()).latches();
    LeaseKey round = key(name);
    LeaseKey once = key(name);
    Check.that(Await.value(latches.open(round, 2, BRIEF)), "it opens");
    Check.that(Await.value(latches.countDown(once)), "it counts");
    Check.that(Await.value(latches.countDown(once)), "it has counted");
    Check.that(Await.value(latches.open(round, 2, BRIEF)), "it is its own round");
    checkCount(latches, key(name), 1);
    Await.until("it is over, and opened anew", () -> Await.value(latches.open(key(name), 2, LONG)));
    Check.that(Await.value(latches.countDown(once)), "it counted in the round before");
    checkCount(latches, key(name), 2);
  }

  private static void checkCount(Latches latches, LeaseKey unused, int count) {
    Latches.State state = Await.value(latches.look(unused, IfHeld.REFUSE)).orElseThrow();
    Check.equal(count, state.count(), "what is missing");
  }

  // ---- CL-3 ----

  @Rule(value = "CL-3", shows = "expired before it is at zero")
  void over() {
    DistributedLatch gate = latch();
    gate.open(2, BRIEF);
    CompletableFuture<Void> waiter = awaiting(gate);
    CompletableFuture<Void> elsewhere = awaiting(latch());
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
  void overMeanwhile() {
    CompletableFuture<Void> waiter = awaiting(latch());
    latch().open(1, Duration.ofMillis(1));
    Check.fails(LatchExpiredException.class, "a waiting request", () -> Await.value(waiter));
  }

  @Rule(value = "CL-3", shows = "one that was never opened is waited for, or is at zero")
  void neverOpened() throws Exception {
    DistributedLatch gate = open().latch(freshName());
    Check.equal(OptionalInt.empty(), gate.count(), "what is missing");
    if (promises(Guarantee.LATCH_OPENING)) {
      Check.that(!gate.await(Duration.ZERO), "no waiter passes");
      Check.that(!answered(() -> gate.await(SHORT_WAIT)), "no waiter passes");
    } else {
      Check.that(gate.await(Duration.ZERO), "a request that does not wait passes");
      Check.that(gate.await(SOON), "a request with a wait passes");
      Await.value(gate.awaitAsync());
    }
    Check.that(!gate.countDown(), "there is nothing to take off");
  }

  // ---- CL-4 ----

  @Rule("CL-4")
  void notOnQuorums() {
    LockManager manager = open();
    // It says why, and which backends have latches.
    fails(
        LockConfigurationException.class,
        "a quorum's latch",
        () -> manager.latch("loaded"),
        "quorum",
        "redis-set");
  }

  @Rule(
      value = "WA-1",
      shows = "for a latch, on a store that hangs",
      also = Guarantee.LATCH,
      needs = Need.STORE)
  void hangs() {
    Faults faults = new Faults();
    DistributedLatch gate = brisk(faults).latch(name);
    faults.every(Op.LOOK, StoreFault.callLost());
    long begun = System.nanoTime();
    Check.fails(LockException.class, "a waiter", () -> gate.await(SHORT_WAIT));
    Check.fails(
        LockException.class, "a request that does not wait", () -> gate.await(Duration.ZERO));
    Check.atMost(SOON, since(begun), "what both took");
    faults.clear();
    gate.open(1, LONG);
    gate.countDown();
    Await.value(gate.awaitAsync());
  }

  @Rule(value = "WA-4", shows = "for a latch", also = Guarantee.LATCH)
  void interrupted() {
    DistributedLatch gate = latch();
    gate.open(1, LONG);
    Runnable interrupt = interruptible(gate::await);
    Await.pass(SHORT_WAIT);
    interrupt.run();
  }

  @Rule(
      value = "WA-4",
      shows = "for a latch, by a stage that is cancelled",
      also = {Guarantee.LATCH, Guarantee.WAKE_UP},
      needs = Need.STORE)
  void cancelled() {
    Faults faults = new Faults();
    DistributedLatch gate = patient(faults).latch(name);
    gate.open(1, LONG);
    CompletableFuture<Void> one = awaiting(gate);
    // A waiter's last question follows its subscription: the second, or the third where the
    // subscription was confirmed before the first answer.
    Await.until("it has a place", () -> isQuiet(faults) && faults.count(Op.LOOK) >= 2);
    CompletableFuture<Void> other = awaiting(gate);
    one.cancel(false);
    Check.equal(0, faults.count(Op.LEAVE), "places given up while another waits");
    other.cancel(false);
    Await.until("the place is given up", () -> faults.count(Op.LEAVE) == 1);
  }

  @Rule(value = "LC-1", shows = "waiters for a latch", also = Guarantee.LATCH)
  void closed() {
    LockManager manager = open();
    DistributedLatch gate = manager.latch(name);
    gate.open(1, LONG);
    CompletableFuture<Void> asynchronous = awaiting(gate);
    CompletableFuture<Boolean> blocked = onThread(() -> gate.await(LONG));
    Await.pass(SHORT_WAIT);
    manager.close();
    Class<LockManagerClosedException> closed = LockManagerClosedException.class;
    Check.fails(closed, "a stage", () -> Await.value(asynchronous));
    Check.fails(closed, "a thread", () -> Await.value(blocked));
    Check.fails(closed, "a later count-down", gate::countDown);
  }

  @Rule(value = "IN-1", shows = "of latches", also = Guarantee.LATCH)
  void badInput() {
    DistributedLatch gate = latch();
    for (int wrong : List.of(0, -1, 100_001)) {
      refused("" + wrong, () -> gate.open(wrong, LONG));
    }
    refused("0ms", () -> gate.open(1, Duration.ZERO));
    refused("-1s", () -> gate.open(1, Duration.ofSeconds(-1)));
    refused("366d", () -> gate.open(1, Duration.ofDays(366)));
    refused("-1ms", () -> gate.await(Duration.ofMillis(-1)));
  }

  private static void refused(String value, Check.Action action) {
    fails(IllegalArgumentException.class, value, action, value);
  }
}
