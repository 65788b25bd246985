package dev.leasehold.testkit;

import java.time.Duration;

/** Is told what a run of the suite does, in the order of the specification. */
public interface SuiteListener {

  /** A test of a rule begins. */
  default void begins(RuleCase test) {}

  /** It ended so, after this time. */
  void ended(RuleCase test, RuleOutcome outcome, Duration took);
}
