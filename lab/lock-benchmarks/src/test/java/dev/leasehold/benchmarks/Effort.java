package dev.leasehold.benchmarks;

import java.time.Duration;

/**
 * How long is measured.
 *
 * @param warmUps turns of each subject that don't count, where single pairs are timed; as many
 *     pairs as it takes until what they run is compiled
 * @param rounds how often each subject has its turn after that
 * @param pairs pairs of a turn, where single ones are timed
 * @param slice length of a turn, where they are counted
 */
record Effort(int warmUps, int rounds, int pairs, Duration slice) {
  static final Effort FULL = new Effort(10, 12, 2_000, Duration.ofSeconds(1));

  /** Shows only that everything runs. */
  static final Effort BRIEF = new Effort(1, 1, 20, Duration.ofMillis(20));

  /** For pairs of several round trips: so many times fewer. */
  Effort withFewerPairs(int times) {
    return new Effort(warmUps, rounds, Math.max(1, pairs / times), slice);
  }
}
