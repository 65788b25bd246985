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
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.view.ServerView;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Checks that an acquisition that is given up keeps neither the lock nor its place in the line. */
final class GivenUpRules {
  private static final Duration PAUSE = TimeScale.millis(60);
  private static final Duration LONG = TimeScale.seconds(60);
  private static final Duration WAIT = TimeScale.millis(300);
  private static final Duration COMMAND = TimeScale.seconds(8);

  // ---- WA-5 ----

  @Rule(
      value = "WA-5",
      shows = "after its time",
      needs = {Need.STORE, Need.VIEW})
  void lateForATimedAttempt(Bench bench) throws Exception {
    checkLateGrant(
        bench, lock -> Check.fails(LockStoreException.class, "it", () -> lock.tryAcquire(WAIT)));
  }

  @Rule(
      value = "WA-5",
      shows = "after it was cancelled",
      needs = {Need.STORE, Need.VIEW})
  void lateForACancelledAttempt(Bench bench) throws Exception {
    checkLateGrant(
        bench,
        lock -> {
          lock.acquireAsync().toCompletableFuture().cancel(true);
        });
  }

  @Rule(
      value = "WA-5",
      shows = "after its caller completed it",
      needs = {Need.STORE, Need.VIEW})
  void lateForACompletedAttempt(Bench bench) throws Exception {
    checkLateGrant(
        bench,
        lock ->
            Check.fails(
                CompletionException.class,
                "it",
                () ->
                    Await.value(
                        lock.acquireAsync()
                            .toCompletableFuture()
                            .orTimeout(WAIT.toMillis(), TimeUnit.MILLISECONDS))));
  }

  @Rule(value = "WA-5", shows = "while the executor of callbacks is busy")
  void besideABusyExecutor(Bench bench) throws Exception {
    DistributedLock lock = bench.site().open().lock(bench.name());
    LockManager busy = bench.site().open(b -> b.executor(task -> {}));
    CompletableFuture<Lease> asked = busy.lock(lock.name()).acquireAsync().toCompletableFuture();
    Await.until("it has the lock", () -> isHeld(lock));
    Check.that(asked.cancel(false), "its caller has not heard of it");
    Optional<Lease> next = lock.tryAcquire(COMMAND);
    Check.that(next.isPresent(), "it goes back when it is given up");
    next.get().release();
  }

  private static boolean isHeld(DistributedLock lock) {
    Optional<Lease> lease = lock.tryAcquire();
    lease.ifPresent(Lease::release);
    return lease.isEmpty();
  }

  @Rule(
      value = "WA-5",
      shows = "a request completed by its caller is not sent again",
      needs = Need.STORE,
      timed = true)
  void completedAsksNoMore(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.site().open().lock(name).acquire();
    Faults faults = new Faults();
    LockManager manager = bench.site().open(faults, UnaryOperator.identity());
    LockOptions often = LockOptions.builder().waitStrategy(WaitStrategy.every(PAUSE)).build();
    CompletableFuture<Lease> asking =
        manager.lock(name, often).acquireAsync().toCompletableFuture();
    Await.until("it has asked again", () -> asked(faults, name) > 1);
    asking.completeExceptionally(new Enough());
    Await.pass(PAUSE.multipliedBy(2)); // for a request that was in flight
    long before = asked(faults, name);
    Await.pass(PAUSE.multipliedBy(10));
    Check.equal(before, asked(faults, name), "how often it asked, after it was given up");
    held.release();
    manager.lock(name).tryAcquire(LONG).orElseThrow().release();
  }

  private static long asked(Faults faults, String name) {
    return faults.calls().stream()
        .filter(call -> call.op() == Op.ACQUIRE && call.name().equals(name))
        .count();
  }

  /** The exception with which a caller completes its acquisition. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static void checkLateGrant(Bench bench, Consumer<DistributedLock> giveUp)
      throws Exception {
    String name = bench.name();
    ServerView view = bench.site().view();
    Gate gate = new Gate();
    Faults faults = new Faults().next(Op.ACQUIRE, StoreFault.answerHeld(gate));
    LockManager manager = bench.site().open(faults, b -> b.commandTimeout(COMMAND));
    giveUp.accept(bench.fixed(manager, name, LONG));
    gate.awaitReached();
    Await.until("the store has granted it", () -> view.look(name).isPresent());
    gate.open();
    Await.until("the grant is released", () -> view.look(name).isEmpty());
    Optional<Lease> next = bench.site().open().lock(name).tryAcquire();
    next.orElseThrow(() -> new AssertionError("others get the lock")).release();
  }
}
