/**
 * The report: what each backend kept, as a table for people, a page, and JSON for machines.
 *
 * <p>What may come in: results as records, and ways to write them down. Rules are run by the {@link
 * dev.leasehold.testkit.Suite}, to which {@link dev.leasehold.testkit.report.Report} listens.
 */
@NullMarked
package dev.leasehold.testkit.report;

import org.jspecify.annotations.NullMarked;
