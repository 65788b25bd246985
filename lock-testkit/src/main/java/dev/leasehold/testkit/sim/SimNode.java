package dev.leasehold.testkit.sim;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * A machine or process with a clock, timers and an executor, which can be paused and crash. Events
 * due during a pause run after it; events due after a crash never run.
 *
 * <p>Not thread-safe, like its world.
 */
public final class SimNode {
  private static final long EPOCH_MICROS = 1_700_000_000_000_000L;
  private static final int NANOS_PER_MICRO = 1000;

  private final SimWorld world;
  private final String name;
  private final SimClock clock;
  private final RandomGenerator random;
  private final List<Runnable> backlog = new ArrayList<>();
  private final List<Runnable> atCrash = new ArrayList<>();
  private State state = State.RUNNING;
  private long pausedUntil;
  private long lives;
  private long wallMicrosStepped;
  private long executorDelay;

  /** The node's state. */
  public enum State {
    /** It runs. */
    RUNNING,
    /** Suspended, as after {@code kill -STOP}; events wait. */
    PAUSED,
    /** Gone, as after {@code kill -9}; events are lost. */
    DOWN
  }

  SimNode(SimWorld world, String name, SimClock clock) {
    this.world = world;
    this.name = name;
    this.clock = clock;
    this.random = world.random();
  }

  /** Its world. */
  public SimWorld world() {
    return world;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Its state. */
  public State state() {
    return state;
  }

  /** An independent source of randomness. */
  public RandomGenerator random() {
    return random;
  }

  /** Its monotonic clock. */
  public Ticker ticker() {
    return () -> clock.at(world.nanos());
  }

  /** Its wall clock in microseconds, which can be stepped. */
  public long wallMicros() {
    return EPOCH_MICROS + clock.elapsed(world.nanos()) / NANOS_PER_MICRO + wallMicrosStepped;
  }

  /** Steps its wall clock forward, or back if negative. */
  public void stepWallClock(Duration step) {
    world.trace(name, "wall clock stepped by " + step);
    wallMicrosStepped += step.toNanos() / NANOS_PER_MICRO;
  }

  /** The world time that a span of this machine's clock takes from now on, rounded down. */
  public Duration toWorld(Duration local) {
    long nanos = local.toNanos();
    return Duration.ofNanos(nanos <= 0 ? 0 : clock.worldDelay(world.nanos(), nanos) - 1);
  }

  /** Timers by its monotonic clock. */
  public Scheduler scheduler() {
    return (delay, task) ->
        world.afterNanos(
            clock.worldDelay(world.nanos(), Math.max(0, delay.toNanos())), onThisLife(task));
  }

  /** Runs tasks soon, but not within the caller's call. */
  public Executor executor() {
    return task ->
        world.afterNanos(executorDelay == 0 ? 0 : random.nextLong(executorDelay), onThisLife(task));
  }

  /** Delays the executor's tasks randomly by up to this long. Default: zero. */
  public void busyExecutor(Duration most) {
    executorDelay = most.toNanos();
  }

  /** A task that runs only before the next crash, and never during a pause. */
  private Runnable onThisLife(Runnable task) {
    long life = lives;
    return () -> {
      if (life == lives) {
        deliver(task);
      }
    };
  }

  /** An external event: runs now, after the pause, or never. */
  public void deliver(Runnable task) {
    switch (state) {
      case RUNNING -> task.run();
      case PAUSED -> backlog.add(task);
      case DOWN -> {
        // the node is down
      }
    }
  }

  /** Pauses for this long. A pause during a pause prolongs it. */
  public void pause(Duration span) {
    if (state == State.DOWN) {
      return;
    }
    world.trace(name, "paused for " + span);
    state = State.PAUSED;
    long end = world.nanos() + span.toNanos();
    pausedUntil = Math.max(pausedUntil, end);
    long life = lives;
    world.after(
        span,
        () -> {
          if (life == lives && state == State.PAUSED && world.nanos() >= pausedUntil) {
            resume();
          }
        });
  }

  private void resume() {
    world.trace(name, "goes on");
    state = State.RUNNING;
    List<Runnable> missed = List.copyOf(backlog);
    backlog.clear();
    // Scheduled once more, so that a pause that starts during these tasks still defers the rest.
    missed.forEach(task -> world.afterNanos(0, onThisLife(task)));
  }

  /** Crashes; everything in flight is lost. */
  public void crash() {
    world.trace(name, "crashed");
    state = State.DOWN;
    lives++;
    backlog.clear();
    List<Runnable> noticing = List.copyOf(atCrash);
    atCrash.clear();
    noticing.forEach(Runnable::run);
  }

  /** Registers what others notice of a crash, such as a closed connection. */
  public void atCrash(Runnable noticed) {
    atCrash.add(noticed);
  }

  /** Starts again, with nothing in flight. */
  public void restart() {
    world.trace(name, "started again");
    state = State.RUNNING;
    pausedUntil = 0;
  }

  @Override
  public String toString() {
    return name + " (" + state + ", " + clock + ")";
  }
}
