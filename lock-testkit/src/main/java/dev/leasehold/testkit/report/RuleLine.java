package dev.leasehold.testkit.report;

import java.util.List;

/**
 * One rule across the backends.
 *
 * @param id the rule's number, "EX-1"
 * @param theme what it belongs to, "Exclusion"
 * @param sentence what it says
 * @param cells one for each backend, in the report's order
 */
record RuleLine(String id, String theme, String sentence, List<Cell> cells) {}
