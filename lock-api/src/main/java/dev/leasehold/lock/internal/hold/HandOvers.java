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
 * after one renewal if too little of the lease is left. Guarded by the name's mutex.
 *
 * <p>The number of consecutive hand-overs is limited ({@link HandOver}), so that other processes
 * get their turn. There are no hand-overs if the order of arrival is guaranteed across processes.
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
   * Passes on the lease of a hold after its last entry was left, if possible.
   *
   * @return the outcome of the release; null if the lease can't be passed on
   */
  @Nullable CompletableFuture<Void> pass(HoldEntry entry) {
    RemoteLease lease = entry.hold.remote;
    Claim next = waiting.successor(lease);
    if (next == null || lease.isKept()) {
      return null;
    }
    Duration wanted = Drift.wholeMillis(next.options.lease());
    if (lease.deadline() - monitor.now() <= 0 || !lease.endsWithin(wanted)) {
      // A lease much longer than requested would outlive this waiter by that much if it were
      // killed.
      return null;
    }
    if (HandOverLimits.suffices(lease, next, monitor.now())) {
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
    // To the releasing caller this is like a release: only now has the store confirmed the owner.
    releases.freed(entry, result, ours ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER, failure);
    if (!ours) {
      return; // unknown or gone: the next waiter asks the store
    }
    Claim next = waiting.successor(lease);
    if (next != null && HandOverLimits.doesAfterRenewal(lease, next, renewedFor, monitor.now())) {
      handOver(next, lease);
      return;
    }
    releases.giveBack(lease);
  }
}
