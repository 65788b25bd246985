package dev.leasehold.testkit.report;

import java.util.List;

/**
 * One rule across the backends.
 *
 * @param id the rule's number, "EX-1"
 * @param theme its theme, "Exclusion"
 * @param sentence its text
 * @param cells one per backend, in the report's order
 */
record RuleLine(String id, String theme, String sentence, List<Cell> cells) {}
