package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The words of rules about latches. */
abstract class LatchSteps extends Steps {
  /**
   * Lifetime of a latch that is to expire; long enough for a few calls, including a JVM's first.
   */
  static final Duration BRIEF = TimeScale.seconds(2);

  /** Repeat an attempt with it by {@link #answered}: the machine may stall for longer. */
  static final Duration SHORT_WAIT = TimeScale.millis(250);

  /** Several poll intervals, plus slack for a busy machine. */
  static final Duration SOON = TimeScale.seconds(10);

  /** The latch of this rule, by a new manager. */
  final DistributedLatch latch() {
    return open().latch(name);
  }

  /**
   * A manager with a short command time-out, on a store with these faults; long enough for the
   * calls that are answered.
   */
  final LockManager brisk(Faults faults) {
    return open(faults, builder -> builder.commandTimeout(TimeScale.millis(1200)));
  }

  /** A manager whose waiters poll only long after they should have been woken. */
  final LockManager patient(Faults faults) {
    LockOptions rarely =
        LockOptions.builder().waitStrategy(WaitStrategy.every(Duration.ofMinutes(1))).build();
    return open(faults, builder -> builder.defaults(rarely));
  }

  static CompletableFuture<Void> awaiting(DistributedLatch latch) {
    return latch.awaitAsync().toCompletableFuture();
  }
}
