package dev.leasehold.benchmarks;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param warmUps uncounted rounds per subject where single pairs are timed, enough for their code
 *     to be compiled
 * @param rounds counted rounds per subject
 * @param pairs pairs per round where single pairs are timed
 * @param slice length of a round where pairs are counted
 */
record Effort(int warmUps, int rounds, int pairs, Duration slice) {
  static final Effort FULL = new Effort(10, 12, 2_000, Duration.ofSeconds(1));

  /** Only shows that everything runs. */
  static final Effort BRIEF = new Effort(1, 1, 20, Duration.ofMillis(20));

  /** For pairs of several round trips: divides the number of pairs. */
  Effort withFewerPairs(int times) {
    return new Effort(warmUps, rounds, Math.max(1, pairs / times), slice);
  }
}
