package dev.leasehold.testkit.report;

import dev.leasehold.testkit.report.RuleResult.Outcome;
import java.util.List;

/**
 * One rule across the backends.
 *
 * @param id the rule's number, "EX-1"
 * @param theme its theme, "Exclusion"
 * @param sentence its text
 * @param cells one per backend, in the report's order
 */
record RuleLine(String id, String theme, String sentence, List<RuleResult> cells) {

  /** Whether it is broken somewhere, or not kept by all that keep it somewhere. */
  boolean differs() {
    boolean broken = cells.stream().anyMatch(cell -> cell.outcome() == Outcome.BROKEN);
    return broken || cells.stream().map(RuleResult::outcome).distinct().count() > 1;
  }
}
