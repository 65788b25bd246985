package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.Drift;
import dev.leasehold.lock.internal.hold.HoldRecords.Idle;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.LeaseState.Effect;
import dev.leasehold.lock.internal.lease.LeaseState.Event;
import dev.leasehold.lock.internal.lease.LeaseState.Successor;
import dev.leasehold.lock.internal.lease.Recall;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What follows the last hold over an exclusive lease: the lease passes to the next waiter of this
 * process without a round trip, or after one renewal if too little of it is left; or it is kept for
 * a while for the next claim ({@code lock.linger}); or it is released. {@link
 * dev.leasehold.lock.internal.lease.LeaseState} decides; this class finds out what it decides on,
 * and performs the effects. Guarded by the name's mutex.
 *
 * <p>The number of consecutive hand-overs is limited ({@link HandOver}), so that other processes
 * get their turn. There are no hand-overs if the order of arrival is guaranteed across processes.
 * An idle lease is never renewed.
 */
final class Succession {
  private final HoldRecords records;

  Succession(HoldRecords records) {
    this.records = records;
  }

  /** Processes the release of the last hold. Returns the outcome of the release. */
  CompletableFuture<Void> left(HoldEntry entry) {
    RemoteLease lease = entry.hold.remote;
    Claim next = records.waiting.successor(lease);
    OptionalLong end = lingersUntil(entry.hold);
    Effect effect = lease.on(new Event.Left(successor(lease, next), end.isPresent()));
    if (effect == Effect.RELEASE) {
      return records.releases().free(entry);
    } else if (effect == Effect.RENEW) {
      return renewThenPass(entry, Objects.requireNonNull(next));
    }
    entry.hold.notifier().ended(records.monitor, Optional.empty());
    if (effect == Effect.PASS_ON) {
      handOver(Objects.requireNonNull(next), lease);
    } else if (effect == Effect.KEEP) {
      keep(lease, end.getAsLong());
    }
    return CompletableFuture.completedFuture(null);
  }

  // ---- hand-over to a waiter ----

  private Successor successor(RemoteLease lease, @Nullable Claim next) {
    if (next == null || lease.isKept()) {
      return Successor.NONE;
    }
    if (lease.deadline() - records.monitor.now() <= 0
        || !lease.endsWithin(Drift.wholeMillis(next.options.lease()))) {
      // A lease much longer than requested would outlive this waiter by that much if it were
      // killed.
      return Successor.NONE;
    }
    return HandOverLimits.suffices(lease, next, records.monitor.now())
        ? Successor.READY
        : Successor.AFTER_RENEWAL;
  }

  private void handOver(Claim next, RemoteLease lease) {
    records.monitor.tell(
        () ->
            new LockEvent.HandedOver(
                records.monitor.kind(),
                records.monitor.name(),
                records.monitor.time().since(next.arrived)));
    records.waiting.handOver(lease);
  }

  private CompletableFuture<Void> renewThenPass(HoldEntry entry, Claim next) {
    RemoteLease lease = entry.hold.remote;
    CompletableFuture<Void> result = new CompletableFuture<>();
    records.releases().drop(lease);
    records.releases().underWay();
    lease.renew(
        Drift.wholeMillis(next.options.lease()),
        (deadline, failure) -> renewed(entry, next, result, deadline.isPresent(), failure));
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
    records
        .releases()
        .freed(entry, result, ours ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER, failure);
    Claim next = ours ? records.waiting.successor(lease) : null;
    boolean suits =
        next != null
            && HandOverLimits.doesAfterRenewal(lease, next, renewedFor, records.monitor.now());
    Effect effect = lease.on(new Event.Renewed(ours, suits));
    if (effect == Effect.PASS_ON) {
      handOver(Objects.requireNonNull(next), lease);
    } else {
      records.releases().perform(effect, lease);
    }
  }

  // ---- the idle lease ----

  boolean hasIdleLease() {
    return records.idle != null;
  }

  boolean isIdle(RemoteLease lease) {
    Idle idle = records.idle;
    return idle != null && idle.lease() == lease;
  }

  /** Returns until when a lease may be kept after its last hold; empty if not at all. */
  private OptionalLong lingersUntil(Hold last) {
    OptionalLong end =
        last.isAutomatic() && !records.waiting.areAny() && !records.monitor.isClosing()
            ? Recall.keptUntil(last.remote)
            : OptionalLong.empty();
    return end.isPresent() && last.remote.deadline() - end.getAsLong() >= 0
        ? end
        : OptionalLong.empty();
  }

  private void keep(RemoteLease lease, long until) {
    records.idle = new Idle(lease, until);
    lease.watch(until);
  }

  /**
   * Returns the idle lease for a claim of this process, with the next fencing number; null if there
   * is none, or if it does not suit and has been given back.
   */
  @Nullable RemoteLease take(Claim claim) {
    Idle idle = records.idle;
    if (idle == null) {
      return null;
    }
    RemoteLease lease = idle.lease();
    boolean suits =
        idle.until() - records.monitor.now() > 0
            && lease.mayPassTo(claim)
            && lease.endsWithin(Drift.wholeMillis(claim.options.lease()))
            && HandOverLimits.suffices(lease, claim, records.monitor.now());
    records.idle = null;
    Effect effect = lease.on(new Event.Claimed(suits));
    if (effect == Effect.TAKE) {
      return lease;
    }
    records.releases().perform(effect, lease);
    return null;
  }

  /** Processes that another manager wants a lease, whether idle or not. */
  void recalled(RemoteLease lease) {
    on(new Event.Recalled(), lease);
  }

  void timerRang(RemoteLease lease) {
    Idle idle = records.idle;
    if (idle == null || idle.lease() != lease) {
      return;
    }
    if (idle.until() - records.monitor.now() <= 0) {
      on(new Event.TimeUp(), lease);
    } else {
      lease.watch(idle.until());
    }
  }

  /** Processes that the store no longer has a lease, if it is idle. */
  void gone(RemoteLease lease) {
    if (isIdle(lease)) {
      on(new Event.Gone(), lease);
    }
  }

  /** Gives an idle lease back at a close, which does not wait for the answer. */
  void close() {
    Idle idle = records.idle;
    if (idle != null) {
      on(new Event.Unused(), idle.lease());
    }
  }

  private void on(Event event, RemoteLease lease) {
    Effect effect = lease.on(event);
    if (isIdle(lease)) {
      records.idle = null; // none of these events leaves it idle
    }
    records.releases().perform(effect, lease);
  }
}
