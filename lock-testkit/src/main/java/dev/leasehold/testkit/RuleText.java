package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import java.util.List;

/**
 * A rule of the specification.
 *
 * @param id its number, "EX-1"
 * @param theme its section, "Exclusion"
 * @param sentence its text
 * @param guarantees guarantees that a manager must declare for the rule to apply; none if it
 *     applies to all
 * @param sampling whether it is stochastic
 * @param testing whether it has a test
 * @param hint where to look when it fails; empty if the specification has none
 */
public record RuleText(
    String id,
    String theme,
    String sentence,
    List<Guarantee> guarantees,
    Sampling sampling,
    Testing testing,
    String hint) {

  /** Whether a rule is stochastic. */
  public enum Sampling {
    /** Deterministic: every run does the same. */
    FIXED,
    /** Stochastic: it runs random or concurrent work and checks the results. */
    STOCHASTIC
  }

  /** Whether a rule has a test. */
  public enum Testing {
    /** The rule has a test. */
    TESTED,
    /** The rule has no test; the specification says why. */
    UNTESTED
  }
}
