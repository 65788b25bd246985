package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.Drift;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
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
  private final Monitor monitor;
  private final Releases releases;
  private final Successors waiting;

  HandOvers(Monitor monitor, Releases releases, Successors waiting) {
    this.monitor = monitor;
    this.releases = releases;
    this.waiting = waiting;
  }

  /**
   * Passes the lease of a hold that was left by its last entry, if that may be.
   *
   * @return the release's outcome; null if it can't be passed
   */
  @Nullable CompletableFuture<Void> pass(HoldEntry entry) {
    RemoteLease lease = entry.hold.remote;
    Claim next = waiting.successor(lease);
    if (next == null || lease.isKept()) {
      return null;
    }
    Duration wanted = Drift.wholeMillis(next.options.lease());
    if (lease.deadline() - monitor.now() <= 0 || !lease.endsWithin(wanted)) {
      // A lease much longer than this waiter asked for would outlive it by as much, were it killed.
      return null;
    }
    if (HandOverRules.suffices(lease, next, monitor.now())) {
      entry.hold.notifier.ended(monitor, Optional.empty());
      handOver(next, lease);
      return CompletableFuture.completedFuture(null);
    }
    return renewThenPass(entry, next, wanted);
  }

  private void handOver(Claim next, RemoteLease lease) {
    lease.handOvers++;
    monitor.tell(
        () ->
            new LockEvent.HandedOver(
                monitor.kind(), monitor.name(), monitor.time().since(next.arrived)));
    waiting.handOver(lease);
  }

  private CompletableFuture<Void> renewThenPass(HoldEntry entry, Claim next, Duration wanted) {
    RemoteLease lease = entry.hold.remote;
    CompletableFuture<Void> result = new CompletableFuture<>();
    releases.drop(lease);
    releases.underWay();
    lease.renew(
        wanted, (deadline, failure) -> renewed(entry, next, result, deadline.isPresent(), failure));
    return result;
  }

  private void renewed(
      HoldEntry entry,
      Claim renewedFor,
      CompletableFuture<Void> result,
      boolean ours,
      @Nullable LockException failure) {
    RemoteLease lease = entry.hold.remote;
    // For who releases it is the same as a release: only now does the store say whose it was.
    releases.freed(entry, result, ours ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER, failure);
    if (!ours) {
      return; // unknown, or gone: the next waiter asks for itself
    }
    Claim next = waiting.successor(lease);
    if (next != null && HandOverRules.doesAfterRenewal(lease, next, renewedFor, monitor.now())) {
      handOver(next, lease);
      return;
    }
    releases.underWay();
    monitor.after(
        () ->
            monitor.onAnswer(
                lease.release(), (answer, failed) -> releases.ended(lease, answer, failed)));
  }
}
