/**
 * The report: the results of each backend as a table for terminals, an HTML page, and JSON.
 *
 * <p>What may come in: results as records, and output formats. Rules are run by the {@link
 * dev.leasehold.testkit.Suite}, to which {@link dev.leasehold.testkit.report.Report} listens.
 */
@NullMarked
package dev.leasehold.testkit.report;

import org.jspecify.annotations.NullMarked;
