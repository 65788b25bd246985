package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;

/** The outcome of a test of a rule. */
public sealed interface RuleOutcome {

  /** The test ran and the rule held. */
  record Kept() implements RuleOutcome {}

  /** The test ran and the rule was broken. */
  record Broken(Throwable failure) implements RuleOutcome {}

  /** The backend does not declare the rule's guarantee. */
  record NotPromised(Guarantee guarantee) implements RuleOutcome {}

  /** Something that the test needs is not available. */
  record NotRun(String reason) implements RuleOutcome {}

  /** The reason, in words; empty if kept. */
  default String text() {
    if (this instanceof Broken broken) {
      return String.valueOf(broken.failure().getMessage());
    }
    if (this instanceof NotPromised not) {
      return "not promised: " + not.guarantee();
    }
    return this instanceof NotRun not ? "not run: " + not.reason() : "";
  }

  /**
   * The combined verdict on a rule with these outcomes of two cases: broken takes precedence over
   * all others, kept over not run.
   */
  static RuleOutcome both(RuleOutcome a, RuleOutcome b) {
    return rank(a) <= rank(b) ? a : b;
  }

  private static int rank(RuleOutcome verdict) {
    if (verdict instanceof Broken) {
      return 0;
    }
    if (verdict instanceof Kept) {
      return 1;
    }
    return verdict instanceof NotRun ? 2 : 3;
  }
}
