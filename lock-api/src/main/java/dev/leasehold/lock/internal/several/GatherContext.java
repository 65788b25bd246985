package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.internal.threads.Clock;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The time, and the threads, of an {@link AllAsync}.
 *
 * @param clock its executor runs steps that may take long, or block
 * @param answers runs the step after the answer of one part
 * @param ends ends a wait whose time is up without an answer
 */
public record GatherContext(
    Clock clock, Executor answers, Scheduler ends, Supplier<RandomGenerator> random) {
  private static final int MOST_DOUBLINGS = 6;

  /** Handles the answer of a part on the thread that completes it. */
  public static GatherContext of(Clock clock, Supplier<RandomGenerator> random) {
    return new GatherContext(clock, Runnable::run, clock.scheduler(), random);
  }

  public static GatherContext of(Clock clock) {
    return of(clock, ThreadLocalRandom::current);
  }

  /** Returns the pause after so many refusals; random, so that contenders drift apart. */
  Duration pauseAfter(int refusals) {
    long most = TimeUnit.MILLISECONDS.toNanos(1L << Math.min(MOST_DOUBLINGS, refusals));
    return Duration.ofNanos(random.get().nextLong(most));
  }
}
