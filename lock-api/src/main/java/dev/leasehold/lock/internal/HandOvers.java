package dev.leasehold.lock.internal;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Passes a lease from its last holder to the next waiter of this process without a round trip, or
 * after one renewal where too little is left. Guarded by the cell's mutex.
 *
 * <p>Hand-overs in a row are bounded ({@link HandOver}), so that other processes get their turn;
 * and there are none where the order of arrival across processes is promised.
 */
final class HandOvers {
  private final LockCell cell;
  private final Holds holds;
  private final Timing time;

  HandOvers(LockCell cell, Holds holds, Timing time) {
    this.cell = cell;
    this.holds = holds;
    this.time = time;
  }

  /**
   * Passes the lease of a hold that was left by its last entry, if that may be.
   *
   * @return the release's outcome; null if it can't be passed
   */
  @Nullable CompletableFuture<Void> pass(Entry entry) {
    RemoteLease lease = entry.hold.remote;
    Acquisition next = holds.areShared() ? null : cell.waiters().successor(lease);
    if (next == null || lease.isKept()) {
      return null;
    }
    Duration wanted = Drift.wholeMillis(next.options.lease());
    if (lease.deadline() - time.now() <= 0 || !lease.endsWithin(wanted)) {
      // A lease much longer than this waiter asked for would outlive it by as much, were it killed.
      return null;
    }
    if (suffices(lease, next)) {
      entry.hold.trail.ended(cell, Optional.empty());
      handOver(next, lease);
      return CompletableFuture.completedFuture(null);
    }
    return renewThenPass(entry, next, wanted);
  }

  /** Whether a lease that others have does for one more as it is. */
  boolean doesFor(RemoteLease lease, Acquisition next) {
    return lease.mayBeJoinedBy(next)
        && lease.endsWithin(Drift.wholeMillis(next.options.lease()))
        && suffices(lease, next);
  }

  /** Whether a lease has left what a waiter may count on. */
  private boolean suffices(RemoteLease lease, Acquisition next) {
    Duration wanted = Drift.wholeMillis(next.options.lease());
    long needed =
        next.options.renewal() == Renewal.FIXED ? Drift.deadline(0, wanted) : wanted.toNanos() / 2;
    return lease.deadline() - time.now() >= needed;
  }

  /** Until when a lease that others have does for one that is renewed, as it is. */
  long doesUntil(RemoteLease lease, LockOptions next) {
    // Not Duration.dividedBy, which goes by BigDecimal: each reader that is granted comes here.
    long half = Drift.wholeMillis(next.lease()).toNanos() / 2;
    Duration suffices = Duration.ofNanos(lease.deadline() - lease.grantedAt - half);
    Duration run = next.handOver().within();
    return lease.grantedAt + (run.compareTo(suffices) < 0 ? run : suffices).toNanos();
  }

  private void handOver(Acquisition next, RemoteLease lease) {
    lease.handOvers++;
    cell.tell(() -> new LockEvent.HandedOver(cell.kind(), cell.name(), time.since(next.arrived)));
    cell.waiters().take(next, lease, Outcome.HANDED_OVER, () -> holds.begin(next, lease));
  }

  private CompletableFuture<Void> renewThenPass(Entry entry, Acquisition next, Duration wanted) {
    RemoteLease lease = entry.hold.remote;
    CompletableFuture<Void> result = new CompletableFuture<>();
    holds.drop(lease);
    holds.givingBack().underWay();
    lease.renew(
        wanted, (deadline, failure) -> renewed(entry, next, result, deadline.isPresent(), failure));
    return result;
  }

  private void renewed(
      Entry entry,
      Acquisition renewedFor,
      CompletableFuture<Void> result,
      boolean ours,
      @Nullable LockException failure) {
    RemoteLease lease = entry.hold.remote;
    // For who releases it is the same as a release: only now does the store say whose it was.
    holds
        .givingBack()
        .freed(entry, result, ours ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER, failure);
    if (!ours) {
      return; // unknown, or gone: the next waiter asks for itself
    }
    Acquisition next = cell.waiters().successor(lease);
    if (next != null && mayHave(next, renewedFor, lease)) {
      handOver(next, lease);
      return;
    }
    holds.givingBack().underWay();
    cell.after(
        () ->
            cell.onAnswer(
                lease.release(),
                (answer, failed) -> holds.givingBack().ended(lease, answer, failed)));
  }

  /**
   * The one it was renewed for has what a grant would give it, unless the answer took too long;
   * another one may want more, or less.
   */
  private boolean mayHave(Acquisition next, Acquisition renewedFor, RemoteLease lease) {
    Duration wanted = Drift.wholeMillis(next.options.lease());
    return lease.endsWithin(wanted)
        && (suffices(lease, next)
            || (next == renewedFor && lease.deadline() - time.now() >= wanted.toNanos() / 2));
  }
}
