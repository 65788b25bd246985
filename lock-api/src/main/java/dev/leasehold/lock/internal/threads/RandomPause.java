package dev.leasehold.lock.internal.threads;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Pauses between the rounds of callers that acquire several locks. */
public final class RandomPause {
  private static final int MOST_DOUBLINGS = 6;

  private RandomPause() {}

  /** Returns the pause after so many refusals; random, so that contenders drift apart. */
  public static Duration after(int refusals, RandomGenerator random) {
    long most = TimeUnit.MILLISECONDS.toNanos(1L << Math.min(MOST_DOUBLINGS, refusals));
    return Duration.ofNanos(random.nextLong(most));
  }
}
