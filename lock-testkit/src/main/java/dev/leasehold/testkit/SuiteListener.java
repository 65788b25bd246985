package dev.leasehold.testkit;

import java.time.Duration;

/** Observes a run of the suite, in the order of the specification. */
public interface SuiteListener {

  /** Called when a test of a rule begins. */
  default void begins(RuleCase test) {}

  /** Called when a test has ended, with its outcome and duration. */
  void ended(RuleCase test, RuleOutcome outcome, Duration took);
}
