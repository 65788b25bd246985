package dev.leasehold.testkit.rules;

/**
 * Rounds of a rule that a machine which stands still may spoil: the first that counts decides.
 * Stateless.
 */
final class Rounds {
  /** After so many that don't count it is not the machine. */
  static final int MOST = 20;

  private Rounds() {}

  /** Looks once, and throws if the rule is broken. */
  @FunctionalInterface
  interface Round {
    /** False if it says nothing. */
    boolean counts() throws Exception;
  }

  /** Until a round counts. */
  static void untilOneCounts(Round round) throws Exception {
    untilOneCounts(MOST, "in none of " + MOST + " rounds was this machine fast enough", round);
  }

  /** Until a round counts; fails with {@code otherwise} if none of so many does. */
  static void untilOneCounts(int most, String otherwise, Round round) throws Exception {
    for (int i = 0; i < most; i++) {
      if (round.counts()) {
        return;
      }
    }
    throw new AssertionError(otherwise);
  }
}
