package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import java.util.List;

/**
 * A rule as the specification has it.
 *
 * @param id its number, "EX-1"
 * @param theme the section it stands in, "Exclusion"
 * @param sentence what it says
 * @param guarantees those that a manager must declare for the rule to count; none if it counts for
 *     all
 * @param sampling whether it is stochastic
 * @param testing whether it has a test
 * @param hint where to look when it fails; empty if the page has none
 */
public record RuleText(
    String id,
    String theme,
    String sentence,
    List<Guarantee> guarantees,
    Sampling sampling,
    Testing testing,
    String hint) {

  /** Whether a rule samples. */
  public enum Sampling {
    /** It does the same at each run. */
    FIXED,
    /** It runs random or concurrent work and looks at what came of it. */
    STOCHASTIC
  }

  /** Whether a rule has a test. */
  public enum Testing {
    /** It has. */
    TESTED,
    /** It has not; the specification says why. */
    UNTESTED
  }
}
