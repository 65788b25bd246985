package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.Latching.LONG;
import static dev.leasehold.testkit.rules.Latching.SHORT_WAIT;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The general rules of waiting, applied to latches. */
final class LatchWaitingRules {

  @Rule(
      value = "WA-1",
      shows = "for a latch, on a store that hangs",
      also = Guarantee.LATCH,
      needs = Need.STORE)
  void hangs(Bench bench) {
    Faults faults = new Faults();
    LockManager manager = bench.site().open(faults, Latching::brisk);
    DistributedLatch gate = manager.latch(bench.name());
    faults.every(Op.LOOK, StoreFault.callLost());
    long begun = System.nanoTime();
    Check.fails(LockException.class, "a waiter", () -> gate.await(SHORT_WAIT));
    Check.fails(
        LockException.class, "a request that does not wait", () -> gate.await(Duration.ZERO));
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    Check.atMost(Latching.SOON, took, "what both took");
    faults.clear();
    gate.open(1, LONG);
    gate.countDown();
    Await.value(gate.awaitAsync());
  }

  @Rule(value = "WA-4", shows = "for a latch", also = Guarantee.LATCH)
  void interrupted(Bench bench) throws Exception {
    DistributedLatch gate = bench.site().open().latch(bench.name());
    gate.open(1, LONG);
    CompletableFuture<Boolean> outcome = new CompletableFuture<>();
    Thread waiter =
        bench.thread(
            () -> {
              gate.await();
              return true;
            },
            outcome);
    waiter.start();
    Await.pass(SHORT_WAIT);
    waiter.interrupt();
    Await.until("the waiter has ended", outcome::isDone);
    Check.fails(
        InterruptedException.class,
        "the interrupted one",
        () -> {
          try {
            outcome.get();
          } catch (java.util.concurrent.ExecutionException e) {
            throw (Exception) e.getCause();
          }
        });
  }

  @Rule(
      value = "WA-4",
      shows = "for a latch, by a stage that is cancelled",
      also = {Guarantee.LATCH, Guarantee.WAKE_UP},
      needs = Need.STORE)
  void cancelled(Bench bench) {
    Faults faults = new Faults();
    LockManager manager = bench.site().open(faults, builder -> builder.defaults(Latching.PATIENT));
    DistributedLatch gate = manager.latch(bench.name());
    gate.open(1, LONG);
    CompletableFuture<Void> one = gate.awaitAsync().toCompletableFuture();
    // A waiter's last question follows its subscription: the second, or the third where the
    // subscription was confirmed before the first answer.
    Await.until(
        "it has a place",
        () -> {
          int questions = faults.count(Op.LOOK);
          Await.pass(SHORT_WAIT);
          return questions >= 2 && questions == faults.count(Op.LOOK);
        });
    CompletableFuture<Void> other = gate.awaitAsync().toCompletableFuture();
    one.cancel(false);
    Check.equal(0, faults.count(Op.LEAVE), "places given up while another waits");
    other.cancel(false);
    Await.until("the place is given up", () -> faults.count(Op.LEAVE) == 1);
  }

  @Rule(value = "LC-1", shows = "waiters for a latch", also = Guarantee.LATCH)
  void closed(Bench bench) {
    LockManager manager = bench.site().open();
    DistributedLatch gate = manager.latch(bench.name());
    gate.open(1, LONG);
    CompletableFuture<Void> asynchronous = gate.awaitAsync().toCompletableFuture();
    CompletableFuture<Boolean> blocked = bench.onThread(() -> gate.await(LONG));
    Await.pass(SHORT_WAIT);
    manager.close();
    Check.fails(LockManagerClosedException.class, "a stage", () -> Await.value(asynchronous));
    Check.fails(LockManagerClosedException.class, "a thread", () -> Await.value(blocked));
    Check.fails(LockManagerClosedException.class, "a later count-down", gate::countDown);
  }

  @Rule(value = "IN-1", shows = "of latches", also = Guarantee.LATCH)
  void badInput(Bench bench) {
    DistributedLatch gate = bench.site().open().latch(bench.name());
    for (int wrong : List.of(0, -1, 100_001)) {
      refused("" + wrong, () -> gate.open(wrong, LONG));
    }
    refused("0ms", () -> gate.open(1, Duration.ZERO));
    refused("-1s", () -> gate.open(1, Duration.ofSeconds(-1)));
    refused("366d", () -> gate.open(1, Duration.ofDays(366)));
    refused("-1ms", () -> gate.await(Duration.ofMillis(-1)));
  }

  private static void refused(String value, Check.Action action) {
    IllegalArgumentException refusal = Check.fails(IllegalArgumentException.class, value, action);
    Check.that(
        String.valueOf(refusal.getMessage()).contains(value),
        "the message names " + value + ": " + refusal.getMessage());
  }
}
