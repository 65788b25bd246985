package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.TimeScale;
import java.time.Duration;
import java.util.Optional;

/** Helpers shared by the rules of minimum holds. */
final class MinimumHoldSteps {
  static final Duration MINIMUM = TimeScale.millis(1500);
  static final Duration LONG = TimeScale.seconds(30);
  static final Duration BRIEF = TimeScale.millis(250);
  static final Duration STEP = Duration.ofMillis(5);

  /** Allowed delay of a waiter, including a busy machine. */
  static final Duration SLACK = TimeScale.seconds(3);

  private MinimumHoldSteps() {}

  static LockOptions options(Duration lease) {
    return LockOptions.builder().automaticLease(lease).atLeast(MINIMUM).build();
  }

  static LockOptions brief() {
    return LockOptions.builder().fixedLease(BRIEF).atLeast(MINIMUM).build();
  }

  /** The longest time a lock stays held for its minimum, including a waiter's delay. */
  static Duration longest(Bench bench) {
    return bench.ended(MINIMUM.plus(MINIMUM.dividedBy(50))).plus(SLACK);
  }

  /**
   * Polls until the lock is free; fails if that is too early or too late.
   *
   * @param granted a moment at or before the grant, by {@link System#nanoTime()}
   */
  static void freeInTime(Bench bench, DistributedLock rival, long granted, String situation) {
    freeInTime(bench, rival, granted, granted, situation);
  }

  /**
   * As above, for a grant that may take long.
   *
   * @param known a moment at or after the grant: the upper bound counts from here
   */
  static void freeInTime(
      Bench bench, DistributedLock rival, long granted, long known, String situation) {
    Duration longest = longest(bench).plusNanos(known - granted);
    while (true) {
      Optional<Lease> free = Answers.attempt(rival);
      Duration passed = Duration.ofNanos(System.nanoTime() - granted);
      if (free.isPresent()) {
        Check.safe(
            passed.compareTo(MINIMUM) >= 0,
            "the lock stayed taken for " + MINIMUM + ", not " + passed + ", " + situation);
        free.get().release();
        return;
      }
      Check.atMost(longest, passed, "how long the lock is taken, " + situation);
      Await.pass(STEP);
    }
  }
}
