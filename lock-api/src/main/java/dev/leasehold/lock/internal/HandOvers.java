package dev.leasehold.lock.internal;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
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
  private final Holding holding;
  private final Env env;

  HandOvers(LockCell cell, Holding holding, Env env) {
    this.cell = cell;
    this.holding = holding;
    this.env = env;
  }

  /**
   * Passes the lease of a handle that was the last, if that may be.
   *
   * @return the release's outcome; null if it can't be passed
   */
  @Nullable CompletableFuture<Void> pass(LeaseHandle handle) {
    RemoteLease lease = handle.hold().remote;
    Waiter next = cell.successor(lease);
    if (next == null) {
      return null;
    }
    Duration wanted = Drift.wholeMillis(next.options.lease());
    long left = lease.deadline() - env.now();
    if (left <= 0 || left > wanted.toNanos()) {
      // A lease much longer than this waiter asked for would outlive it by as much, were it killed.
      return null;
    }
    if (left >= needed(next, wanted)) {
      handOver(next, lease);
      return CompletableFuture.completedFuture(null);
    }
    return renewThenPass(handle, wanted);
  }

  private static long needed(Waiter next, Duration wanted) {
    return next.options.renewal() == Renewal.FIXED
        ? Drift.deadline(0, wanted)
        : wanted.toNanos() / 2;
  }

  private void handOver(Waiter next, RemoteLease lease) {
    lease.handOvers++;
    Lease[] handle = new Lease[1];
    cell.decide(next, () -> next.outcome.complete(Optional.of(handle[0])));
    next.attempt.cleanUp();
    cell.tell(() -> new LockEvent.HandedOver(cell.name(), env.since(next.arrived)));
    handle[0] = holding.begin(next, lease);
  }

  private CompletableFuture<Void> renewThenPass(LeaseHandle handle, Duration wanted) {
    RemoteLease lease = handle.hold().remote;
    CompletableFuture<Void> result = new CompletableFuture<>();
    holding.drop(lease);
    holding.underWay();
    cell.after(
        () ->
            cell.onAnswer(
                lease.renew(wanted),
                (deadline, failure) -> renewed(handle, result, deadline, failure)));
    return result;
  }

  private void renewed(
      LeaseHandle handle,
      CompletableFuture<Void> result,
      @Nullable OptionalLong deadline,
      @Nullable LockException failure) {
    RemoteLease lease = handle.hold().remote;
    OptionalLong until = deadline == null ? OptionalLong.empty() : deadline;
    // For who releases it is the same as a release: only now does the store say whose it was.
    holding.freed(
        handle,
        result,
        until.isEmpty() ? ReleaseResult.NOT_OWNER : ReleaseResult.RELEASED,
        failure);
    if (until.isEmpty()) {
      return; // unknown, or gone: the next waiter asks for itself
    }
    lease.confirmed(until.getAsLong());
    Waiter next = cell.successor(lease);
    if (next != null && lease.deadline() - env.now() >= next.options.lease().toNanos() / 2) {
      handOver(next, lease);
      return;
    }
    holding.underWay();
    cell.after(
        () ->
            cell.onAnswer(
                lease.release(), (answer, failed) -> holding.ended(lease, answer, failed)));
  }
}
