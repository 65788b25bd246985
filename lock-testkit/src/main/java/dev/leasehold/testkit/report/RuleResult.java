package dev.leasehold.testkit.report;

import java.time.Duration;

/**
 * The result of a rule on a backend.
 *
 * @param outcome kept, broken, not promised or not run
 * @param detail the reason; empty if kept
 * @param took how long it ran
 */
public record RuleResult(Outcome outcome, String detail, Duration took) {

  /** The outcome of a rule. */
  public enum Outcome {
    /** The rule passed. */
    KEPT("kept"),
    /** The rule failed. */
    BROKEN("BROKEN"),
    /** The backend does not declare the guarantee that the rule tests. */
    NOT_PROMISED("not promised"),
    /** Not run here: a requirement is missing. */
    NOT_RUN("not run");

    private final String word;

    Outcome(String word) {
      this.word = word;
    }

    /** The word used in the table. */
    public String word() {
      return word;
    }
  }
}
