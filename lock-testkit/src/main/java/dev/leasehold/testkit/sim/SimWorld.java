package dev.leasehold.testkit.sim;

import dev.leasehold.lock.spi.Scheduler.Scheduled;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A world with virtual time. Events run one after another in the order of their time; simultaneous
 * events run in the order of scheduling, or in a seeded order.
 *
 * <p>Not thread-safe: one thread creates it, drives it, and runs all its events.
 */
public final class SimWorld {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int MOST_EVENTS_AT_ONE_TIME = 100_000;

  private final long seed;
  private final Ties ties;
  private final SplittableRandom random;
  private final SplittableRandom tieRandom;
  private final SimTrace trace = new SimTrace();
  private final PriorityQueue<Entry> queue =
      new PriorityQueue<>(
          Comparator.comparingLong((Entry e) -> e.time)
              .thenComparingLong(e -> e.tie)
              .thenComparingLong(e -> e.number));
  private long now;
  private long numbers;
  private int eventsNow;

  /** The order of simultaneous events. */
  public enum Ties {
    /** In the order of scheduling. */
    FIFO,
    /** Random, drawn from the seed: reveals dependencies on an order that is not guaranteed. */
    SEEDED
  }

  private static final class Entry implements Scheduled {
    final long time;
    final long tie;
    final long number;
    final Runnable task;
    boolean cancelled;

    Entry(long time, long tie, long number, Runnable task) {
      this.time = time;
      this.tie = tie;
      this.number = number;
      this.task = task;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  /** A world in which simultaneous events run in the order of scheduling. */
  public SimWorld(long seed) {
    this(seed, Ties.FIFO);
  }

  /** A world. */
  public SimWorld(long seed, Ties ties) {
    this.seed = seed;
    this.ties = ties;
    this.random = new SplittableRandom(seed);
    this.tieRandom = random.split();
  }

  /** The seed that determines everything in this world. */
  public long seed() {
    return seed;
  }

  /** An independent source of randomness, determined by the seed and by earlier calls. */
  public RandomGenerator random() {
    return random.split();
  }

  /** Time since the start of the world, in nanoseconds. */
  public long nanos() {
    return now;
  }

  /** The world's own clock, the reference for all others. */
  public Ticker ticker() {
    return this::nanos;
  }

  /** A machine with the world's clock. */
  public SimNode node(String name) {
    return node(name, SimClock.exact());
  }

  /** A machine with its own clock. */
  public SimNode node(String name, SimClock clock) {
    return new SimNode(this, name, clock);
  }

  /** Runs a task after a delay; zero is as soon as the current event has ended. */
  public Scheduled after(Duration delay, Runnable task) {
    return afterNanos(delay.toNanos(), task);
  }

  Scheduled afterNanos(long delay, Runnable task) {
    long tie = ties == Ties.FIFO ? 0 : tieRandom.nextLong();
    Entry entry = new Entry(now + Math.max(0, delay), tie, numbers++, task);
    queue.add(entry);
    return entry;
  }

  /**
   * Adds a line to the trace, which keeps the last lines for failure messages, or all ({@link
   * #traceAll}). The argument is formatted only when printed, so it should not change.
   */
  public void trace(String who, Object what) {
    trace.add(now, who, what);
  }

  /** Keeps the whole trace from now on: for replaying a failed seed. */
  public void traceAll() {
    trace.keepAll();
  }

  /** Runs all events of this span; the time is then at its end. */
  public void run(Duration span) {
    long end = now + span.toNanos();
    while (stepUntil(end)) {
      // the step was the work
    }
    now = end;
  }

  /** Runs until a condition, checked after each event, holds; false if it does not hold in time. */
  public boolean runUntil(BooleanSupplier condition, Duration atMost) {
    long end = now + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (!stepUntil(end)) {
        now = end;
        return condition.getAsBoolean();
      }
    }
    return true;
  }

  /** Runs until no events are left; false if some are left after this span. */
  public boolean runUntilQuiescent(Duration atMost) {
    long end = now + atMost.toNanos();
    while (stepUntil(end)) {
      // the step was the work
    }
    queue.removeIf(entry -> entry.cancelled);
    return queue.isEmpty();
  }

  /** Runs until a stage completes, for at most ten minutes; returns its result. */
  public <T> T await(CompletionStage<T> stage) {
    return await(stage, PATIENCE);
  }

  /**
   * Runs until a stage completes.
   *
   * @return its result; if it failed with an unchecked exception, that is thrown
   * @throws SimFailure if it does not complete in time
   */
  public <T> T await(CompletionStage<T> stage, Duration atMost) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (!runUntil(future::isDone, atMost)) {
      throw failure("nothing came within " + atMost, null);
    }
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private boolean stepUntil(long end) {
    Entry next = queue.peek();
    if (next == null || next.time > end) {
      return false;
    }
    queue.remove();
    if (next.cancelled) {
      return true;
    }
    eventsNow = next.time > now ? 0 : eventsNow + 1;
    now = next.time;
    if (eventsNow > MOST_EVENTS_AT_ONE_TIME) {
      throw failure("time stands still: " + eventsNow + " events without any passing", null);
    }
    try {
      next.task.run();
    } catch (RuntimeException | Error e) {
      throw e instanceof SimFailure failure ? failure : failure(e.toString(), e);
    }
    return true;
  }

  /** A failure with the seed and the trace, or the last part of it. */
  public SimFailure failure(String message) {
    return failure(message, null);
  }

  private SimFailure failure(String message, @Nullable Throwable cause) {
    return new SimFailure(message + "\n" + this, cause);
  }

  /** The seed, the time and the trace, or the last part of it. */
  @Override
  public String toString() {
    return "seed " + seed + ", " + ties + ", at " + SimTrace.time(now) + "\n" + trace;
  }
}
