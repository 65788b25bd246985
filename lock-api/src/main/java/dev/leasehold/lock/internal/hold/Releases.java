package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.LeaseTimes;
import dev.leasehold.lock.internal.calls.ReleaseStrategy;
import dev.leasehold.lock.internal.hold.HoldRecords.Idle;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.LeaseState.Effect;
import dev.leasehold.lock.internal.lease.LeaseState.Event;
import dev.leasehold.lock.internal.lease.LeaseState.Successor;
import dev.leasehold.lock.internal.lease.Recall;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Observers;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What follows the last hold over a lease: it is released on the store. An exclusive one may pass
 * to the next waiter of this process instead, without a round trip, or after one renewal if too
 * little of it is left; or it is kept for a while for the next claim ({@code lock.linger}). {@link
 * dev.leasehold.lock.internal.lease.LeaseState} decides; this class finds out what it decides on,
 * and performs the effects. Guarded by the name's mutex.
 *
 * <p>The number of consecutive hand-overs is limited ({@link HandOver}), so that other processes
 * get their turn. There are no hand-overs if the order of arrival is guaranteed across processes.
 * An idle lease is never renewed.
 */
public final class Releases {
  private final Holds records;

  Releases(Holds records) {
    this.records = records;
  }

  /**
   * Completes the release of a joined hold that was left without the mutex, and seemed to be the
   * last over its lease.
   */
  public CompletableFuture<Void> left(HoldEntry entry, @Nullable ReleaseStrategy strategy) {
    Hold hold = entry.hold;
    entry.leave();
    hold.leave(entry);
    return left(hold) || isOthers(hold.remote)
        ? CompletableFuture.completedFuture(null)
        : release(entry, strategy);
  }

  /**
   * Releases a lease that passes to no other hold, unless a step under the mutex did so before: a
   * hold that was left without the mutex may get here late.
   */
  CompletableFuture<Void> release(HoldEntry entry, @Nullable ReleaseStrategy strategy) {
    return entry.hold.remote.on(Event.Left.FOR_GOOD) == Effect.RELEASE
        ? free(entry, strategy)
        : CompletableFuture.completedFuture(null);
  }

  /** Drops the lease of a hold that ended, unless others share it. Returns whether others do. */
  public boolean left(Hold hold) {
    RemoteLease lease = hold.remote;
    if (!records.isStoodOn(lease)) {
      drop(lease);
      return false;
    }
    if (!records.isOpen(lease) && !records.isAutomaticOver(lease)) {
      records.renewals.forget(lease);
    }
    return true;
  }

  /** Stops renewing and timing a lease that has no holds. */
  void drop(RemoteLease lease) {
    records.leftovers.remove(lease);
    records.renewals.forget(lease);
    lease.unwatch();
  }

  /**
   * Returns whether the release of a lease is left to other holds over it. Not to one that expired,
   * whose owner may never release it: the lock would stay taken for the rest of the lease. After a
   * close, it is for the owners to say when they have stopped working.
   */
  boolean isOthers(RemoteLease lease) {
    return records.isStoodOn(lease) || records.leftovers.areClosedOver(lease);
  }

  /** Ends what this process does for a lease that has ended. */
  private void end(RemoteLease lease) {
    drop(lease);
    lease.stopListening();
  }

  /** Processes the release of a lost hold: with its last handle, its lease is released. */
  void unwound(Hold hold) {
    if (!hold.isEmpty()) {
      return;
    }
    records.leftovers.remove(hold);
    CompletableFuture<Void> end = records.leftovers.endOf(hold);
    RemoteLease lease = hold.remote;
    if (isOthers(lease) || lease.on(Event.Left.FOR_GOOD) != Effect.RELEASE) {
      end.complete(null);
      return;
    }
    end(lease);
    // Others need not wait for the rest of an unused lease.
    records.monitor.after(
        () -> lease.release().whenComplete((answer, failure) -> end.complete(null)));
  }

  /** Performs {@link Effect#RELEASE}. */
  private CompletableFuture<Void> free(HoldEntry entry, @Nullable ReleaseStrategy strategy) {
    RemoteLease lease = entry.hold.remote;
    end(lease);
    CompletableFuture<Void> result = new CompletableFuture<>();
    records.underWay++;
    Supplier<CompletableFuture<ReleaseResult>> giving =
        strategy == null ? lease::release : strategy.giving(lease);
    records.monitor.after(
        () ->
            records.monitor.onAnswer(
                giving.get(), (answer, failure) -> freed(entry, result, answer, failure)));
    return result;
  }

  /** Processes the answer to a release, or its failure. */
  private void freed(
      HoldEntry entry,
      CompletableFuture<Void> result,
      @Nullable ReleaseResult answer,
      @Nullable LockException failure) {
    Observers observers = entry.hold.observers;
    ended(entry.hold.remote, answer, failure);
    if (failure != null) {
      observers.ended(records.monitor, Optional.empty());
      records.monitor.after(() -> result.completeExceptionally(failure));
    } else if (answer == ReleaseResult.NOT_OWNER) {
      LeaseLoss loss =
          records.monitor.loss(Reason.NOT_OWNER, "the store no longer had it at release");
      entry.hold.lose(loss);
      records.signal(entry, loss);
      records.tell(entry.hold, loss);
      observers.ended(records.monitor, Optional.of(loss));
      records.monitor.after(() -> result.completeExceptionally(new LeaseLostException(loss)));
    } else {
      observers.ended(records.monitor, Optional.empty());
      records.monitor.after(() -> result.complete(null));
    }
  }

  /**
   * Records the end of an operation that kept the name from being vacant: with a release's answer,
   * a failure of unknown outcome, or neither.
   */
  private void ended(
      RemoteLease lease, @Nullable ReleaseResult answer, @Nullable LockException failure) {
    records.underWay--;
    if (failure == null) {
      records.monitor.answered();
    } else {
      records.monitor.troubled(failure, records.monitor.now());
      records.monitor.after(lease::releaseUntilConfirmed);
    }
    records.waiting.givenBack(answer == ReleaseResult.RELEASED_AND_WOKE);
  }

  /** Processes an event that ends a lease without an outcome for a caller, or changes nothing. */
  void on(Event event, RemoteLease lease) {
    Effect effect = lease.on(event);
    if (isIdle(lease)) {
      records.idle = null; // none of these events leaves it idle
    }
    perform(effect, lease);
  }

  /** Performs the effect of an event that is no outcome for a caller. */
  void perform(Effect effect, RemoteLease lease) {
    if (effect == Effect.NONE) {
      return;
    }
    end(lease);
    if (effect == Effect.GIVE_BACK) {
      records.underWay++;
      records.monitor.after(
          () ->
              records.monitor.onAnswer(
                  lease.release(), (answer, failure) -> ended(lease, answer, failure)));
    } else if (effect == Effect.DISCARD) {
      records.monitor.after(lease::releaseUntilConfirmed);
    }
  }

  // ---- the last hold over an exclusive lease ----

  /** Processes the release of the last hold. Returns the outcome of the release. */
  CompletableFuture<Void> lastLeft(HoldEntry entry, @Nullable ReleaseStrategy strategy) {
    RemoteLease lease = entry.hold.remote;
    Claim next = records.waiting.successor(lease);
    OptionalLong end = lingersUntil(entry.hold);
    Effect effect = lease.on(new Event.Left(successor(lease, next), end.isPresent()));
    if (effect == Effect.RELEASE) {
      return free(entry, strategy);
    } else if (effect == Effect.RENEW) {
      return renewThenPass(entry, Objects.requireNonNull(next));
    }
    entry.hold.observers.ended(records.monitor, Optional.empty());
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
        || !lease.endsWithin(LeaseTimes.lease(next.options))) {
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
        (kind, name) ->
            new LockEvent.HandedOver(kind, name, records.monitor.time().since(next.arrived)));
    records.waiting.handOver(lease);
  }

  private CompletableFuture<Void> renewThenPass(HoldEntry entry, Claim next) {
    RemoteLease lease = entry.hold.remote;
    CompletableFuture<Void> result = new CompletableFuture<>();
    drop(lease);
    records.underWay++;
    lease.renew(
        LeaseTimes.lease(next.options),
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
    freed(entry, result, ours ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER, failure);
    Claim next = ours ? records.waiting.successor(lease) : null;
    boolean suits =
        next != null
            && HandOverLimits.doesAfterRenewal(lease, next, renewedFor, records.monitor.now());
    Effect effect = lease.on(new Event.Renewed(ours, suits));
    if (effect == Effect.PASS_ON) {
      handOver(Objects.requireNonNull(next), lease);
    } else {
      perform(effect, lease);
    }
  }

  // ---- the idle lease ----

  boolean isIdle(RemoteLease lease) {
    Idle idle = records.idle;
    return idle != null && idle.lease() == lease;
  }

  /** Returns until when a lease may be kept after its last hold; empty if not at all. */
  private OptionalLong lingersUntil(Hold last) {
    RemoteLease lease = last.remote;
    Recall recall = lease.recall;
    if (recall == null
        || !last.isAutomatic()
        || records.waiting.areAny()
        || records.monitor.isClosing()
        || lease.isKept()) {
      return OptionalLong.empty();
    }
    OptionalLong end = recall.keptUntil();
    return end.isPresent() && lease.deadline() - end.getAsLong() >= 0 ? end : OptionalLong.empty();
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
            && lease.endsWithin(LeaseTimes.lease(claim.options))
            && HandOverLimits.suffices(lease, claim, records.monitor.now());
    records.idle = null;
    Effect effect = lease.on(new Event.Claimed(suits));
    if (effect == Effect.TAKE) {
      return lease;
    }
    perform(effect, lease);
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
  void giveBackIdle() {
    Idle idle = records.idle;
    if (idle != null) {
      on(new Event.Unused(), idle.lease());
    }
  }
}
