package dev.leasehold.testkit.rules;

/**
 * Repeats rounds of a rule that a stall of the machine may invalidate, until one counts. Stateless.
 */
final class Rounds {
  /** After so many invalid rounds the machine is not to blame. */
  static final int MOST = 20;

  private Rounds() {}

  /** A single round; throws if the rule is broken. */
  @FunctionalInterface
  interface Round {
    /** False if the round is inconclusive. */
    boolean counts() throws Exception;
  }

  /** Repeats the round until one counts. */
  static void untilOneCounts(Round round) throws Exception {
    untilOneCounts(MOST, "in none of " + MOST + " rounds was this machine fast enough", round);
  }

  /**
   * Repeats the round until one counts; fails with {@code otherwise} if none of {@code most} does.
   */
  static void untilOneCounts(int most, String otherwise, Round round) throws Exception {
    for (int i = 0; i < most; i++) {
      if (round.counts()) {
        return;
      }
    }
    throw new AssertionError(otherwise);
  }
}
