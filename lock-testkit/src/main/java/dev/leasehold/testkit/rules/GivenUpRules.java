package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.ServerView;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Fault;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** That an acquisition which is given up keeps neither the lock nor a place. */
final class GivenUpRules {
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

  @Rule(value = "WA-5", shows = "a place in line that its caller completed", needs = Need.STORE)
  void completedPlace(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.site().open().lock(name).acquire();
    Faults faults = new Faults();
    LockManager manager = bench.site().open(faults, UnaryOperator.identity());
    manager.lock(name).acquireAsync().toCompletableFuture().completeExceptionally(new Enough());
    CompletableFuture<Lease> next = manager.lock(name).acquireAsync().toCompletableFuture();
    held.release();
    // Were the first still in line, it would get the lock, and keep it for nobody.
    Await.value(next).release();
    Check.that(manager.lock(name).tryAcquire().isPresent(), "the lock is free again");
  }

  /** What a caller completes an acquisition with. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static void checkLateGrant(Bench bench, Consumer<DistributedLock> giveUp)
      throws Exception {
    String name = bench.name();
    ServerView view = bench.site().view();
    Gate gate = new Gate();
    Faults faults = new Faults().next(Op.ACQUIRE, Fault.answerHeld(gate));
    LockManager manager = bench.site().open(faults, b -> b.commandTimeout(COMMAND));
    giveUp.accept(bench.fixed(manager, name, LONG));
    gate.awaitReached();
    Await.until("the store has granted it", () -> view.look(name).isPresent());
    gate.open();
    Await.until("the grant is given back", () -> view.look(name).isEmpty());
    Optional<Lease> next = bench.site().open().lock(name).tryAcquire();
    next.orElseThrow(() -> new AssertionError("others get the lock")).release();
  }
}
