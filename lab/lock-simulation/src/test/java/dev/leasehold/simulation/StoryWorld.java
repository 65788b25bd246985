package dev.leasehold.simulation;

import dev.leasehold.testkit.sim.RandomWorld;
import java.time.Duration;

/** A random world that records a story of its events. Not thread-safe. */
public abstract class StoryWorld extends RandomWorld {
  /** A world without clients. */
  protected StoryWorld(long seed) {
    super(seed);
  }

  /** The events, in order; determined by the seed. */
  protected abstract String story();

  /**
   * The length of the period with faults: usually little more than a second, since that finds
   * faults with less work than longer worlds. Occasionally up to four.
   */
  protected final Duration mostlyAboutASecond() {
    return Duration.ofMillis(300 + (long) (3700 * Math.pow(random.nextDouble(), 3)));
  }

  /** Runs the world; returns its story, one event per line, if there was no violation. */
  public final String run() {
    play();
    return story();
  }
}
