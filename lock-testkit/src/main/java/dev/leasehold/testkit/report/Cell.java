package dev.leasehold.testkit.report;

import java.time.Duration;

/**
 * What became of a rule on a backend.
 *
 * @param outcome in a word
 * @param detail why it is broken, not promised or not run; empty if kept
 * @param took how long it ran
 */
public record Cell(Outcome outcome, String detail, Duration took) {

  /** In a word. */
  public enum Outcome {
    /** Run, and found kept. */
    KEPT("kept"),
    /** Run, and found broken. */
    BROKEN("BROKEN"),
    /** The backend does not declare the guarantee that the rule belongs to. */
    NOT_PROMISED("not promised"),
    /** Not run here: something it needs is missing. */
    NOT_RUN("not run");

    private final String word;

    Outcome(String word) {
      this.word = word;
    }

    /** As the table says it. */
    public String word() {
      return word;
    }
  }
}
