package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.LeaseTimes;
import dev.leasehold.lock.internal.calls.ReleaseStrategy;
import dev.leasehold.lock.internal.flight.Flight;
import dev.leasehold.lock.internal.hold.Leftovers.Unwinding;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.LeaseHolders;
import dev.leasehold.lock.internal.lease.LeaseState.Event;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.name.Sharing;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The holds of a name in this process, including lost ones that their owners have not yet released.
 * Re-entry, joining, release, hand-over and loss. Guarded by the name's mutex.
 */
public final class Holds extends HoldRecords implements LeaseHolders {
  /** The outcome of a release that leaves the lease to others. */
  public static final CompletableFuture<Void> LEFT = CompletableFuture.completedFuture(null);

  /**
   * Creates an empty set of holds.
   *
   * @param waiting the waiters that may get a lease that is released here
   */
  public Holds(Monitor monitor, Renewals renewals, Successors waiting) {
    super(monitor, renewals, waiting);
  }

  /** Returns whether an owner in this process holds the name exclusively. */
  public boolean isHeld() {
    expireIfPast();
    return sharing() == Sharing.ONE && newestHold != null;
  }

  // ---- acquiring ----

  /**
   * Serves an acquisition from the holds of its owner or its process, if that takes neither a call
   * to the store nor a waiter; else returns null. May be called without the mutex, which it takes
   * only if the owner seems to hold the name.
   */
  @Nullable
  public HoldEntry join(Object owner, LockOptions options) {
    if (areShared()) {
      return rejoin(owner, options);
    }
    if (sharing() != Sharing.ONE || !seemsHeldBy(owner) || isWatched()) {
      return null;
    }
    boolean begun = monitor.begin();
    try {
      return reenterAsIs(owner, options);
    } finally {
      if (begun) {
        monitor.end();
      }
    }
  }

  /** Adds an entry to a valid hold of the owner, unless its lease must be extended for that. */
  private @Nullable HoldEntry reenterAsIs(Object owner, LockOptions options) {
    Hold hold = holdOf(owner);
    long now = monitor.now();
    return hold == null || hold.deadline() - now <= 0 || isTooShort(hold, options, now)
        ? null
        : enter(hold);
  }

  private HoldEntry enter(Hold hold) {
    if (hold.isAutomatic()) {
      renewals.keep(hold.remote); // if it was abandoned, it no longer is
    }
    return hold.enter();
  }

  /** Returns whether a re-entry asks for more than is left of a fixed lease. */
  private static boolean isTooShort(Hold hold, LockOptions options, long now) {
    return !hold.isAutomatic()
        && LeaseTimes.deadline(now, LeaseTimes.lease(options)) - hold.deadline() > 0;
  }

  /** Returns how existing holds can serve an acquisition; null if it has to ask the store. */
  @Nullable
  public Reentry reenter(Claim claim) {
    assert monitor.isHeld();
    expireIfPast();
    if (sharing() == Sharing.APART) {
      return null;
    }
    closeSeatOf(claim.owner);
    Hold before = leftovers.lostBy(claim.owner);
    LeaseLoss loss = before == null ? null : before.loss();
    if (loss != null) {
      return new Reentry.Refused(loss);
    }
    Hold hold = holdOf(claim.owner);
    if (hold == null) {
      RemoteLease shared = areShared() ? joins(claim) : releases().take(claim);
      return shared == null ? null : new Reentry.Joins(shared);
    }
    HoldEntry entry = enter(hold);
    return isTooShort(hold, claim.options, monitor.now())
        ? new Reentry.Grows(entry, LeaseTimes.lease(claim.options))
        : new Reentry.Entered(entry);
  }

  public HoldEntry granted(Claim claim, RemoteLease lease) {
    assert monitor.isHeld();
    if (areShared()) {
      closeOpenLease();
      newestLease = lease;
    }
    Hold hold = sharing() == Sharing.ONE ? newestHold : null;
    if (hold != null) {
      lose(hold, Reason.NOT_OWNER, "the store granted the lock anew while it was held");
    }
    monitor.tell(
        (kind, name) -> new LockEvent.Acquired(kind, name, monitor.time().since(claim.arrived)));
    return begin(claim, lease);
  }

  /** Begins a waiter's hold over a lease. */
  public HoldEntry begin(Claim claim, RemoteLease lease) {
    assert monitor.isHeld();
    long now = monitor.now();
    long own = LeaseTimes.deadline(now, LeaseTimes.lease(claim.options));
    own = Math.min(own - now, LeaseTimes.deadline(claim.options, lease.deadline()) - now) + now;
    OpenLease home = areShared() ? homeFor(claim, lease) : null;
    Hold hold = new Hold(lease, claim, home, now, own);
    if (hold.isAutomatic()) {
      lease.renewFor(claim.options.lease());
      renewals.keep(lease);
    } else if (!isAutomaticOver(lease)) {
      renewals.forget(lease);
    }
    lease.watch(hold.deadline());
    HoldEntry entry = hold.enter();
    seat(hold, claim);
    return entry;
  }

  /** Undoes a hold that could not begin. */
  public void undo(RemoteLease lease, Object owner) {
    assert monitor.isHeld();
    closeIfOpen(lease);
    for (Hold hold : holdsOver(lease)) {
      if (hold.isOwnedBy(owner)) {
        hold.release();
        remove(hold);
      }
    }
    if (holdOver(lease) == null) {
      lease.forgetMinimum();
      releases().on(new Event.Unused(), lease);
    }
  }

  /** Returns the releases of leases: a view, as {@link #extension}. */
  public Releases releases() {
    return new Releases(this);
  }

  /** Returns the extension of leases. */
  public LeaseExtension extension() {
    return new LeaseExtension(this);
  }

  // ---- deadlines and losses ----

  @Override
  public void timerRang(RemoteLease lease) {
    assert monitor.isHeld();
    releases().timerRang(lease);
    expireIfPast();
    Hold first = firstToEnd(lease);
    if (first != null) {
      lease.watch(first.deadline());
    } else if (isOpen(lease)) {
      lease.watch(lease.deadline());
    }
  }

  @Override
  public void recalled(RemoteLease lease) {
    assert monitor.isHeld();
    releases().recalled(lease);
  }

  @Override
  public void expireIfPast() {
    assert monitor.isHeld();
    if (newestHold == null && openLease == null) {
      return;
    }
    long now = monitor.now();
    closeIfPast(now);
    for (Hold hold = holdPast(now); hold != null; hold = holdPast(now)) {
      lose(hold, Reason.EXPIRED, "its deadline passed without a confirmed renewal");
    }
  }

  @Override
  public boolean isToBeRenewed(RemoteLease lease) {
    return extension().isToBeRenewed(lease);
  }

  @Override
  public boolean renewed(RemoteLease lease, OptionalLong deadline) {
    return extension().renewed(lease, deadline);
  }

  public void lose(Hold hold, Reason reason, String detail) {
    lose(hold, monitor.loss(reason, detail));
  }

  private void lose(Hold hold, LeaseLoss loss) {
    assert monitor.isHeld();
    hold.lose(loss);
    hold.observers.lost(monitor, loss);
    gone(hold);
    releases().left(hold);
    if (loss.reason() == Reason.NOT_OWNER) {
      releases().on(new Event.Gone(), hold.remote);
    }
    hold.remote.stopListening();
    if (!hold.isEmpty() && !hold.isOutOfReach()) {
      ownLeftovers().lost.add(hold);
      monitor.services().reclaimer().watch(this);
    }
    hold.forEachEntry(entry -> signal(entry, loss));
    tell(hold, loss);
  }

  /** Removes a hold that was released or lost. */
  private void gone(Hold hold) {
    remove(hold);
    lastLeft = monitor.now();
  }

  /** Completes the loss signal of an entry. */
  void signal(HoldEntry entry, LeaseLoss loss) {
    CompletableFuture<LeaseLoss> signal = entry.signalIfAsked();
    if (signal != null) {
      monitor.callBack(() -> signal.complete(loss));
    }
  }

  /** Notifies listeners, and writes to the log. */
  void tell(Hold hold, LeaseLoss loss) {
    monitor.tell((kind, name) -> new LockEvent.Lost(kind, name, loss));
    monitor.after(() -> Flight.RECORDER.lost(loss));
    if (loss.reason() != Reason.CLOSED) { // unreleased holds are reported by the close
      monitor.after(() -> monitor.services().log().lost(hold, loss));
    }
  }

  /** Stops renewing a hold. Re-entry resumes the renewal. */
  public void letExpire(Hold hold) {
    closeIfOpen(hold.remote);
    if (hold.isHeld() && holdsOver(hold.remote).size() == 1) {
      renewals.forget(hold.remote);
    }
  }

  // ---- releasing ----

  /**
   * Releases an entry of a hold.
   *
   * @param strategy how its lease is released on the store; null for a call of its own
   */
  public CompletableFuture<Void> release(HoldEntry entry, @Nullable ReleaseStrategy strategy) {
    takeOver(entry.hold);
    if (!entry.leave()) {
      return LEFT;
    }
    Hold hold = entry.hold;
    if (hold.isHeld()) {
      expireIfPast();
    }
    hold.leave(entry);
    LeaseLoss loss = hold.loss();
    if (loss != null) {
      releases().unwound(hold);
      return CompletableFuture.failedFuture(new LeaseLostException(loss));
    }
    if (!hold.isEmpty()) {
      return LEFT;
    }
    hold.release();
    gone(hold);
    monitor.tell(
        (kind, name) -> new LockEvent.Released(kind, name, monitor.time().since(hold.begun)));
    hold.observers.released(monitor);
    if (!areShared()) {
      return releases().lastLeft(entry, strategy);
    }
    if (releases().left(hold)) {
      hold.observers.ended(monitor, Optional.empty());
      return LEFT;
    }
    return releases().release(entry, strategy);
  }

  // ---- for handles and views ----

  /** Returns an owner's hold that is neither released nor lost; null if there is none. */
  @Nullable
  public Hold here(Object owner) {
    expireIfPast();
    closeSeatOf(owner);
    return holdOf(owner);
  }

  /**
   * Returns an owner's hold: a valid one, or one that it lost and has not released; null if there
   * is none.
   */
  @Nullable
  public Hold of(Object owner) {
    closeSeatOf(owner);
    Hold hold = holdOf(owner);
    return hold != null ? hold : leftovers.lostBy(owner);
  }

  /** Returns a hold that existed when the manager was closed, and is not released yet. */
  public Optional<Hold> unreleased() {
    return leftovers.unreleased();
  }

  /** Returns the reason why a handle is not valid. */
  public LeaseLoss whyInvalid(HoldEntry entry) {
    expireIfPast();
    LeaseLoss loss = entry.hold.loss();
    return loss != null
        ? loss
        : monitor.loss(Reason.NOT_OWNER, "this handle was used after its release");
  }

  /**
   * Signals the holds as lost, if there are any. The future completes when their handles are gone.
   */
  public CompletableFuture<Void> close(LeaseLoss loss) {
    expireIfPast();
    releases().giveBackIdle();
    closeOpenLease();
    for (RemoteLease left : List.copyOf(leftovers.leaving)) {
      if (!releases().isOthers(left)) {
        // The last to leave is on its way here, and may come too late.
        releases().on(new Event.Unused(), left);
      }
    }
    for (Hold hold : allHolds()) {
      ownLeftovers().heldAtClose.add(new Unwinding(hold, new CompletableFuture<>()));
      lose(hold, loss);
    }
    // An acquisition concurrent with the close may have closed this entry before.
    return leftovers.unwound();
  }
}
