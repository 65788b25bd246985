/**
 * The history checker: records the workers' operations on locks as events with times, and decides
 * whether they can have been correct.
 *
 * <p>Workers record an {@link dev.leasehold.testkit.history.Event} before and after each operation,
 * through a {@link dev.leasehold.testkit.history.HistoryRecorder}. Processes on one host share its
 * monotonic clock, so their histories can be merged. {@link
 * dev.leasehold.testkit.history.HistoryChecker} derives the holds and looks for violations.
 *
 * <p>Stamps can only shrink a hold: an acquisition is stamped after it returned, a release before
 * it is sent. So every reported violation is real; there are no false alarms.
 *
 * <p>What may come in: recording, merging and judging histories. Nothing that depends on a store.
 */
@NullMarked
package dev.leasehold.testkit.history;

import org.jspecify.annotations.NullMarked;
