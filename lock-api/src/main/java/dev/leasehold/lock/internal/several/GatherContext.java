package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.internal.threads.Clock;
import dev.leasehold.lock.spi.Scheduler;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The time, and the threads, by which an {@link AllAsync} goes on.
 *
 * @param clock its executor runs what may take long, or block
 * @param answers runs what follows the answer of one part
 * @param ends ends a wait whose time is up though the store says nothing
 */
public record GatherContext(
    Clock clock, Executor answers, Scheduler ends, Supplier<RandomGenerator> random) {

  /** An answer of one part is taken in by the thread that brings it. */
  public static GatherContext of(Clock clock, Supplier<RandomGenerator> random) {
    return new GatherContext(clock, Runnable::run, clock.scheduler(), random);
  }

  public static GatherContext of(Clock clock) {
    return of(clock, ThreadLocalRandom::current);
  }
}
