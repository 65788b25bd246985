/**
 * The report: what each backend kept, as a table for people, a page, and JSON for machines.
 *
 * <p>What may come in: results as records, and ways to write them down. Nothing that runs a rule.
 */
@NullMarked
package dev.leasehold.testkit.report;

import org.jspecify.annotations.NullMarked;
