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
 * A world with a time of its own. Events run one after another in the order of their time; what
 * comes at the same time runs as it was put in, or as the seed says.
 *
 * <p>Not thread-safe: one thread makes it, drives it, and runs all its events.
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

  /** In which order events of the same time run. */
  public enum Ties {
    /** As they were put in. */
    FIFO,
    /** At random, by the seed: for finding what depends on an order that nobody promised. */
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

  /** A world in which events of the same time run as they were put in. */
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

  /** What decides everything in this world. */
  public long seed() {
    return seed;
  }

  /** A source of randomness of its own; which one depends on the seed and on earlier calls. */
  public RandomGenerator random() {
    return random.split();
  }

  /** Time since the world began, in nanoseconds. */
  public long nanos() {
    return now;
  }

  /** The world's own clock: the one true time. */
  public Ticker ticker() {
    return this::nanos;
  }

  /** A machine whose clock is the world's. */
  public SimNode node(String name) {
    return node(name, SimClock.exact());
  }

  /** A machine with a clock of its own. */
  public SimNode node(String name, SimClock clock) {
    return new SimNode(this, name, clock);
  }

  /** Runs a task after a delay; zero is as soon as what runs now has ended. */
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
   * Writes a line into the trace, which keeps the last of them for a failure's message, or all
   * ({@link #traceAll}). What happened is made a text only when it is printed, so it should not
   * change.
   */
  public void trace(String who, Object what) {
    trace.add(now, who, what);
  }

  /** Keeps the whole trace from now on: for a seed that is run again to see how it failed. */
  public void traceAll() {
    trace.keepAll();
  }

  /** Runs all events of this span, and ends at its end. */
  public void run(Duration span) {
    long end = now + span.toNanos();
    while (stepUntil(end)) {
      // the step was the work
    }
    now = end;
  }

  /** Runs until a condition holds, looking after each event; false if it does not hold in time. */
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

  /** Runs until no event is left; false if some are left after this span. */
  public boolean runUntilQuiescent(Duration atMost) {
    long end = now + atMost.toNanos();
    while (stepUntil(end)) {
      // the step was the work
    }
    queue.removeIf(entry -> entry.cancelled);
    return queue.isEmpty();
  }

  /** Runs until a stage completes, for at most ten minutes; what it completed with. */
  public <T> T await(CompletionStage<T> stage) {
    return await(stage, PATIENCE);
  }

  /**
   * Runs until a stage completes.
   *
   * @return what it completed with; if it failed with an unchecked exception, that is thrown
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

  /** A failure that tells the seed and the trace, or the last of it. */
  public SimFailure failure(String message) {
    return failure(message, null);
  }

  private SimFailure failure(String message, @Nullable Throwable cause) {
    return new SimFailure(message + "\n" + this, cause);
  }

  /** The seed, the time and the trace, or the last of it. */
  @Override
  public String toString() {
    return "seed " + seed + ", " + ties + ", at " + SimTrace.time(now) + "\n" + trace;
  }
}
