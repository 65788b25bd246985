package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.internal.threads.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A thread that waits for an {@link AllAsync} and makes its steps itself: each lock is acquired,
 * and released, by the thread that owns it.
 */
final class WaitingThread implements Executor {
  private final LinkedBlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();
  private volatile boolean hasLeft;

  /** Leaves a step to the waiting thread; once that has left, the calling thread runs it. */
  @Override
  public void execute(Runnable step) {
    steps.add(step);
    if (hasLeft) {
      runAll();
    }
  }

  private void runAll() {
    for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
      step.run();
    }
  }

  /** Runs all steps on the thread, which needs no timer to notice that its time is up. */
  GatherContext context(Clock clock) {
    Clock own =
        new Clock(
            clock.ticker(),
            (delay, task) -> clock.scheduler().schedule(delay, () -> execute(task)),
            this);
    return new GatherContext(own, this, (delay, task) -> () -> {}, ThreadLocalRandom::current);
  }

  /**
   * Makes steps until one of them ends the wait.
   *
   * @param left how long it may still wait; empty if without bound
   */
  void await(CompletableFuture<?> end, Supplier<Optional<Duration>> left)
      throws InterruptedException, TimeoutException {
    while (!end.isDone()) {
      Runnable step = steps.poll(); // without a look at interrupts: they end waits, not steps
      if (step == null) {
        step = next(left.get());
      }
      step.run();
    }
  }

  private Runnable next(Optional<Duration> left) throws InterruptedException, TimeoutException {
    if (left.isEmpty()) {
      return steps.take();
    }
    Runnable step = steps.poll(left.get().toNanos(), TimeUnit.NANOSECONDS);
    if (step == null) {
      throw new TimeoutException();
    }
    return step;
  }

  /** As above, without bound; an interrupt is restored afterwards. */
  void await(CompletableFuture<?> end) {
    boolean interrupted = false;
    try {
      while (!end.isDone()) {
        try {
          steps.take().run();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for nothing more. */
  void leave() {
    hasLeft = true;
    runAll();
  }
}
