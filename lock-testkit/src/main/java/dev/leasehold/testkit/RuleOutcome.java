package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;

/** What became of a test of a rule. */
public sealed interface RuleOutcome {

  /** It ran, and the rule held. */
  record Kept() implements RuleOutcome {}

  /** It ran, and the rule was broken. */
  record Broken(Throwable failure) implements RuleOutcome {}

  /** The backend does not declare the guarantee that the rule belongs to. */
  record NotPromised(Guarantee guarantee) implements RuleOutcome {}

  /** Something that it needs is not there. */
  record NotRun(String reason) implements RuleOutcome {}

  /** Why, in words; empty if kept. */
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
   * The verdict on a rule of which two cases came out so: broken before all, kept before not run.
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
