package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.TimeScale;
import java.time.Duration;
import java.util.Optional;

/** The words of rules about minimum holds. */
abstract class MinimumHoldSteps extends Steps {
  static final Duration MINIMUM = TimeScale.millis(1500);
  static final Duration BRIEF = TimeScale.millis(250);

  private static final Duration STEP = Duration.ofMillis(5);

  static LockOptions options(Duration lease) {
    return LockOptions.builder().automaticLease(lease).atLeast(MINIMUM).build();
  }

  static LockOptions brief() {
    return LockOptions.builder().fixedLease(BRIEF).atLeast(MINIMUM).build();
  }

  /** The longest time a lock stays held for its minimum, including a waiter's delay. */
  final Duration longest() {
    return ended(MINIMUM.plus(MINIMUM.dividedBy(50))).plus(SLACK);
  }

  /**
   * Polls until the lock is free; fails if that is too early or too late.
   *
   * @param granted a moment at or before the grant, by {@link System#nanoTime()}
   */
  final void freeInTime(DistributedLock rival, long granted, String situation) throws Exception {
    freeInTime(rival, granted, granted, situation);
  }

  /**
   * As above, for a grant that may take long.
   *
   * @param known a moment at or after the grant: the upper bound counts from here
   */
  final void freeInTime(DistributedLock rival, long granted, long known, String situation)
      throws Exception {
    Duration longest = longest().plusNanos(known - granted);
    while (true) {
      Optional<Lease> lease = attempt(rival::tryAcquire);
      Duration passed = since(granted);
      if (!isEmpty(lease)) {
        Check.safe(
            passed.compareTo(MINIMUM) >= 0,
            "the lock stayed taken for " + MINIMUM + ", not " + passed + ", " + situation);
        return;
      }
      Check.atMost(longest, passed, "how long the lock is taken, " + situation);
      Await.pass(STEP);
    }
  }
}
