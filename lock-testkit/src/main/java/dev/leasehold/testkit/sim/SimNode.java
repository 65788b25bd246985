package dev.leasehold.testkit.sim;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * A machine, or a process on one: it has a clock, timers and an executor, and can be paused and
 * crash. What comes due in a pause runs after it; what comes due after a crash never runs.
 *
 * <p>Not thread-safe, as its world.
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

  /** How it does. */
  public enum State {
    /** It runs. */
    RUNNING,
    /** It stands still, as after {@code kill -STOP}; what comes meanwhile waits. */
    PAUSED,
    /** It is gone, as after {@code kill -9}; what comes meanwhile is lost. */
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

  /** How it does. */
  public State state() {
    return state;
  }

  /** A source of randomness of its own. */
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

  /** Steps its wall clock; forward, or back if negative. */
  public void stepWallClock(Duration step) {
    world.trace(name, "wall clock stepped by " + step);
    wallMicrosStepped += step.toNanos() / NANOS_PER_MICRO;
  }

  /** How long a time of this machine's clock from now lasts in the world, rounded down. */
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

  /** Runs tasks soon: not within the caller's. */
  public Executor executor() {
    return task ->
        world.afterNanos(executorDelay == 0 ? 0 : random.nextLong(executorDelay), onThisLife(task));
  }

  /** Lets tasks given to the executor wait for up to this long, at random. Default: zero. */
  public void busyExecutor(Duration most) {
    executorDelay = most.toNanos();
  }

  /** A task that runs only while this life of the machine lasts, and not in a pause. */
  private Runnable onThisLife(Runnable task) {
    long life = lives;
    return () -> {
      if (life == lives) {
        deliver(task);
      }
    };
  }

  /** Something comes in from outside: it runs now, after the pause, or never. */
  public void deliver(Runnable task) {
    switch (state) {
      case RUNNING -> task.run();
      case PAUSED -> backlog.add(task);
      case DOWN -> {
        // nobody is there
      }
    }
  }

  /** Stands still for this long. A pause within a pause prolongs it. */
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
    // Deferred once more, so that a pause that begins among them still catches the rest.
    missed.forEach(task -> world.afterNanos(0, onThisLife(task)));
  }

  /** Is gone, with all it had under way. */
  public void crash() {
    world.trace(name, "crashed");
    state = State.DOWN;
    lives++;
    backlog.clear();
    List<Runnable> noticing = List.copyOf(atCrash);
    atCrash.clear();
    noticing.forEach(Runnable::run);
  }

  /** What others notice when it crashes, such as a connection that ends. */
  public void atCrash(Runnable noticed) {
    atCrash.add(noticed);
  }

  /** Is there again, with nothing under way. */
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
