package dev.leasehold.simulation;

import dev.leasehold.testkit.sim.RandomWorld;

/** A random world that tells what has happened. Not thread-safe. */
public abstract class StoryWorld extends RandomWorld {
  /** A world, with nobody in it yet. */
  protected StoryWorld(long seed) {
    super(seed);
  }

  /** What has happened, in order: the same for the same seed. */
  protected abstract String story();

  /** What has happened, a line each, if nothing was broken. */
  public final String run() {
    play();
    return story();
  }
}
