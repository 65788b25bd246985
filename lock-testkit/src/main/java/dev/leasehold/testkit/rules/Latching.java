package dev.leasehold.testkit.rules;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.TimeScale;
import java.time.Duration;

/** Helpers shared by the latch rules. */
final class Latching {
  static final Duration LONG = TimeScale.seconds(60);

  /**
   * Lifetime of a latch that is to expire; long enough for a few calls, including a JVM's first.
   */
  static final Duration BRIEF = TimeScale.seconds(2);

  static final Duration SHORT_WAIT = TimeScale.millis(100);

  /** Several poll intervals, plus slack for a busy machine. */
  static final Duration SOON = TimeScale.seconds(10);

  /** A waiter that polls only long after it should have been woken. */
  static final LockOptions PATIENT =
      LockOptions.builder().waitStrategy(WaitStrategy.every(Duration.ofMinutes(1))).build();

  private Latching() {}

  /** A manager with a short command time-out. */
  static LockManager.Builder brisk(LockManager.Builder builder) {
    return builder.commandTimeout(TimeScale.millis(300));
  }

  static void checkCount(Latches latches, LeaseKey unused, int count) {
    Latches.State state = Await.value(latches.look(unused, IfHeld.REFUSE)).orElseThrow();
    Check.equal(count, state.count(), "what is missing");
  }
}
