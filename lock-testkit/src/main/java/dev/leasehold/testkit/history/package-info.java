/**
 * The history checker: what workers did to locks, as events with times, and whether it can have
 * been right.
 *
 * <p>Workers write down an {@link dev.leasehold.testkit.history.Event} before and after each
 * operation, through a {@link dev.leasehold.testkit.history.HistoryRecorder}. Processes of one host
 * share its monotonic clock, so their histories can be joined. {@link
 * dev.leasehold.testkit.history.HistoryChecker} derives the holds and looks for what must not be.
 *
 * <p>Stamps only ever shrink a hold: an acquisition is stamped after it returned, a release before
 * it is sent. So what is reported has happened, and no false alarm can arise.
 *
 * <p>What may come in: recording, joining and judging histories. Nothing that knows a store.
 */
@NullMarked
package dev.leasehold.testkit.history;

import org.jspecify.annotations.NullMarked;
