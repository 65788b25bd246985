package dev.leasehold.simulation;

import dev.leasehold.testkit.sim.RandomWorld;
import java.time.Duration;

/** A random world that tells what has happened. Not thread-safe. */
public abstract class StoryWorld extends RandomWorld {
  /** A world, with nobody in it yet. */
  protected StoryWorld(long seed) {
    super(seed);
  }

  /** What has happened, in order: the same for the same seed. */
  protected abstract String story();

  /**
   * A time for which things go wrong: mostly little more than a second, since that shows faults at
   * less work each than longer worlds do. Now and then up to four.
   */
  protected final Duration mostlyAboutASecond() {
    return Duration.ofMillis(300 + (long) (3700 * Math.pow(random.nextDouble(), 3)));
  }

  /** What has happened, a line each, if nothing was broken. */
  public final String run() {
    play();
    return story();
  }
}
