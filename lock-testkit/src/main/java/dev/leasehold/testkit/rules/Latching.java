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

/** What the rules of latches have in common. */
final class Latching {
  static final Duration LONG = TimeScale.seconds(60);

  /** How long a latch lasts that is to end; some calls come before, the first ones too. */
  static final Duration BRIEF = TimeScale.seconds(2);

  static final Duration SHORT_WAIT = TimeScale.millis(100);

  /** Some of a waiter's looks, and then some for a busy machine. */
  static final Duration SOON = TimeScale.seconds(10);

  /** Of one who looks again long after it should have been woken. */
  static final LockOptions PATIENT =
      LockOptions.builder().waitStrategy(WaitStrategy.every(Duration.ofMinutes(1))).build();

  private Latching() {}

  /** One who does not wait long for an answer. */
  static LockManager.Builder brisk(LockManager.Builder builder) {
    return builder.commandTimeout(TimeScale.millis(300));
  }

  static void checkCount(Latches latches, LeaseKey nobody, int count) {
    Latches.State state = Await.value(latches.look(nobody, IfHeld.REFUSE)).orElseThrow();
    Check.equal(count, state.count(), "what is missing");
  }
}
