package dev.leasehold.redis.set;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.redis.set.KindRun.Hold;
import dev.leasehold.redis.set.KindRun.Kind;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One owner: it thinks, acquires in some form, works, and releases; again and again. */
final class KindOwner {
  private static final Duration LONGEST_THINKING = Duration.ofMillis(20);

  private final KindRun run;
  private final SimClient client;
  private final String name;
  private @Nullable Hold held;
  private boolean idle;

  KindOwner(KindRun run, SimClient client, String name) {
    this.run = run;
    this.client = client;
    this.name = name;
  }

  boolean isIdle() {
    return idle;
  }

  /** Whether it was on this client, which is dead. */
  boolean diedWith(SimClient dead) {
    if (client == dead && held != null) {
      run.check.over(held);
      held = null;
    }
    return client == dead;
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
    KindCheck.Known before = run.check.known();
    if (run.kind == Kind.SEMAPHORE) {
      int wanted = run.random.nextInt(1, run.permits + 1);
      DistributedSemaphore semaphore =
          client
              .manager()
              .semaphore(KindRun.NAME, run.permits, run.options)
              .as(LockOwner.named(name));
      boolean waits = run.random.nextInt(3) > 0;
      acquired(
          waits
              ? cancelled(semaphore.acquireAsync(wanted)).thenApply(Optional::of)
              : semaphore.tryAcquireAsync(wanted, wait(run.random.nextBoolean())),
          lease -> {
            Hold hold = new Hold(name, lease, wanted, false);
            run.check.taken(hold);
            return hold;
          });
      return;
    }
    boolean writes = run.random.nextInt(3) == 0;
    DistributedReadWriteLock both =
        client.manager().readWriteLock(KindRun.NAME, run.options).as(LockOwner.named(name));
    DistributedLock side = writes ? both.write() : both.read();
    boolean waits = run.random.nextInt(3) > 0;
    acquired(
        waits
            ? cancelled(side.acquireAsync()).thenApply(Optional::of)
            : side.tryAcquireAsync(wait(run.random.nextBoolean())),
        lease -> {
          Hold hold = new Hold(name, lease, 0, writes);
          run.check.entered(hold, before);
          return hold;
        });
  }

  private Duration wait(boolean some) {
    return some ? run.any(run.longestHold.multipliedBy(2)).plusNanos(1) : Duration.ZERO;
  }

  /** Now and then it gives up. */
  private CompletionStage<Lease> cancelled(CompletionStage<Lease> stage) {
    if (run.random.nextInt(8) == 0) {
      later(run.longestHold, () -> stage.toCompletableFuture().cancel(false));
    }
    return stage;
  }

  private interface Granted {
    Hold hold(Lease lease);
  }

  private void acquired(CompletionStage<Optional<Lease>> stage, Granted granted) {
    stage.whenComplete(
        (lease, failure) -> {
          if (failure != null || lease.isEmpty()) {
            begin();
            return;
          }
          held = granted.hold(lease.get());
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
