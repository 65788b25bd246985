package dev.leasehold.simulation;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.simulation.KindCheck.Known;
import dev.leasehold.simulation.KindWorld.Hold;
import dev.leasehold.simulation.KindWorld.Kind;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An owner that repeatedly pauses, acquires in one of several ways, works, and releases. */
final class KindOwner {
  private static final Duration LONGEST_THINKING = Duration.ofMillis(20);

  private final KindWorld run;
  private final SimClient client;
  private final String name;
  private CompletionStage<?> asked = CompletableFuture.completedStage(null);
  private @Nullable Hold held;
  private boolean idle;

  KindOwner(KindWorld run, SimClient client, String name) {
    this.run = run;
    this.client = client;
    this.name = name;
  }

  boolean isIdle() {
    return idle;
  }

  /** Whether it was on this crashed client. */
  boolean diedWith(SimClient dead) {
    if (client == dead && held != null) {
      run.check.over(held);
      held = null;
    }
    return client == dead;
  }

  /** Starts nothing new. A waiting owner may give up, or not. */
  void stop() {
    if (run.dice().nextBoolean()) {
      asked.toCompletableFuture().cancel(false);
    }
  }

  void begin() {
    later(LONGEST_THINKING, this::attempt);
  }

  private void later(Duration most, Runnable step) {
    client.node().scheduler().schedule(run.any(most), step);
  }

  private void attempt() {
    if (run.isStopped()) {
      idle = true;
      return;
    }
    Known before = run.check.known();
    if (run.kind == Kind.SEMAPHORE) {
      int wanted = run.dice().nextInt(1, run.permits + 1);
      acquired(permits(wanted), lease -> new Hold(name, lease, wanted, false), before);
    } else {
      boolean writes = run.dice().nextInt(3) == 0;
      acquired(side(writes), lease -> new Hold(name, lease, 0, writes), before);
    }
  }

  private CompletionStage<Optional<Lease>> permits(int wanted) {
    DistributedSemaphore semaphore =
        client
            .manager()
            .semaphore(KindWorld.NAME, run.permits, run.options)
            .as(LockOwner.unique(name));
    return run.dice().nextInt(3) > 0
        ? cancelled(asked(semaphore.acquireAsync(wanted))).thenApply(Optional::of)
        : asked(semaphore.tryAcquireAsync(wanted, wait(run.dice().nextBoolean())));
  }

  private CompletionStage<Optional<Lease>> side(boolean writes) {
    DistributedReadWriteLock both =
        client.manager().readWriteLock(KindWorld.NAME, run.options).as(LockOwner.unique(name));
    DistributedLock side = writes ? both.write() : both.read();
    return run.dice().nextInt(3) > 0
        ? cancelled(asked(side.acquireAsync())).thenApply(Optional::of)
        : asked(side.tryAcquireAsync(wait(run.dice().nextBoolean())));
  }

  private <T> CompletionStage<T> asked(CompletionStage<T> stage) {
    asked = stage;
    return stage;
  }

  private Duration wait(boolean some) {
    return some ? run.any(run.longestHold.multipliedBy(2)).plusNanos(1) : Duration.ZERO;
  }

  /** Occasionally cancels the request. */
  private CompletionStage<Lease> cancelled(CompletionStage<Lease> stage) {
    if (run.dice().nextInt(8) == 0) {
      later(run.longestHold, () -> stage.toCompletableFuture().cancel(false));
    }
    return stage;
  }

  private void acquired(
      CompletionStage<Optional<Lease>> stage, Function<Lease, Hold> granted, Known before) {
    stage.whenComplete(
        (lease, failure) -> {
          if (failure != null || lease.isEmpty()) {
            begin();
            return;
          }
          Hold hold = granted.apply(lease.get());
          run.check.taken(hold, before);
          held = hold;
          later(run.longestHold, this::release);
        });
  }

  private void release() {
    Hold hold = held;
    held = null;
    if (hold != null) {
      run.check.over(hold);
      hold.lease().releaseAsync().whenComplete((done, failure) -> begin());
    }
  }
}
