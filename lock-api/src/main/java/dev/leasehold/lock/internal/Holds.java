package dev.leasehold.lock.internal;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a name in this process: the holds there are, and lost ones whose owners have not yet
 * released them. Re-entry, joining, release, hand-over and loss. Guarded by the cell's mutex.
 */
final class Holds {
  private final LockCell cell;
  private final Timing time;
  private final Renewals renewals;
  private final Sharing sharing;
  private final HeldHere here = new HeldHere();

  private final HandOvers handOvers;
  private final Joining joining;
  private final Prolonging prolonging;
  private final GivingBack givingBack;
  private final LostHolds lost;

  /** When the last hold ended. */
  private long lastLeft;

  private boolean everLeft;

  Holds(LockCell cell, Sharing sharing, Env env, LostHolds lost) {
    this.cell = cell;
    this.sharing = sharing;
    this.time = env.time();
    this.renewals = env.renewals();
    this.handOvers = new HandOvers(cell, this, time);
    this.joining = new Joining(cell, this, here, handOvers, time, env.events());
    AbandonedHolds abandoned = env.terms().abandoned();
    this.prolonging = new Prolonging(cell, this, here, time, renewals, env.log(), abandoned);
    this.givingBack = new GivingBack(cell, this, joining, lost, time);
    this.lost = lost;
  }

  /** Whether somebody in this process has the name to itself. */
  boolean isHeld() {
    expireIfPast();
    return sharing == Sharing.ONE && !here.isEmpty();
  }

  /** Whether somebody in this process has held the name, or a share of it, since then. */
  boolean wereHeldSince(long instant) {
    return !here.isEmpty() || (everLeft && lastLeft - instant > 0);
  }

  /** Whether it is of use to ask the store, as far as this process knows. */
  boolean admits() {
    return sharing != Sharing.ONE || isVacant();
  }

  /** Whether holds of several owners may stand on one lease. */
  boolean areShared() {
    return sharing == Sharing.TOGETHER;
  }

  boolean isVacant() {
    return here.isEmpty() && joining.isVacant() && !givingBack.isUnderWay();
  }

  boolean isForgotten() {
    return isVacant() && lost.isEmpty();
  }

  /** How owners share a lease. */
  Joining joining() {
    return joining;
  }

  /** What ends leases. */
  GivingBack givingBack() {
    return givingBack;
  }

  /** What makes leases last. */
  Prolonging prolonging() {
    return prolonging;
  }

  LostHolds lostHolds() {
    return lost;
  }

  boolean supersedes(RemoteLease lease) {
    Hold hold = sharing == Sharing.ONE ? here.any() : null;
    return hold != null
        && hold.remote.fence.isPresent()
        && lease.fence.isPresent()
        && hold.remote.fence.getAsLong() > lease.fence.getAsLong();
  }

  // ---- taking ----

  /** Lets an owner in again, or refuses one with a lost hold: true if that decides its outcome. */
  boolean reenter(Acquisition acquisition) {
    expireIfPast();
    if (sharing == Sharing.APART) {
      return false;
    }
    joining.closeSeatOf(acquisition.owner);
    Hold before = lost.of(acquisition.owner);
    LeaseLoss loss = before == null ? null : before.loss();
    if (loss != null) {
      cell.waiters().decide(acquisition, Decision.failed(new LeaseLostException(loss)));
      return true;
    }
    Hold hold = here.of(acquisition.owner);
    if (hold == null) {
      return areShared() && joining.joins(acquisition);
    }
    LeaseHandle handle = hold.enter();
    if (hold.isAutomatic()) {
      renewals.keep(hold.remote); // if it was abandoned, it no longer is
    }
    Duration wanted = Drift.wholeMillis(acquisition.options.lease());
    boolean grows = !hold.isAutomatic() && Drift.deadline(time.now(), wanted) - hold.deadline() > 0;
    if (grows) {
      cell.waiters().grows(acquisition, handle, wanted);
    } else {
      cell.waiters().decide(acquisition, Decision.has(Outcome.REENTERED, handle));
    }
    return true;
  }

  LeaseHandle granted(Acquisition acquisition, RemoteLease lease) {
    if (areShared()) {
      joining.granted(lease);
    }
    Hold hold = sharing == Sharing.ONE ? here.any() : null;
    if (hold != null) {
      lose(hold, Reason.NOT_OWNER, "the store granted the lock anew while it was held");
    }
    cell.tell(
        () -> new LockEvent.Acquired(cell.kind(), cell.name(), time.since(acquisition.arrived)));
    return begin(acquisition, lease);
  }

  /** A waiter's hold over a lease begins. */
  LeaseHandle begin(Acquisition acquisition, RemoteLease lease) {
    long now = time.now();
    long own = Drift.deadline(now, Drift.wholeMillis(acquisition.options.lease()));
    own = Math.min(own - now, Minimum.deadline(acquisition.options, lease.deadline()) - now) + now;
    OpenLease home = areShared() ? joining.homeFor(acquisition, lease) : null;
    Hold hold = new Hold(cell, lease, acquisition, home, now, own);
    if (hold.isAutomatic()) {
      lease.renewFor(acquisition.options.lease());
      renewals.keep(lease);
    } else if (!here.isAutomaticOver(lease)) {
      renewals.forget(lease);
    }
    lease.watch(hold.deadline());
    LeaseHandle handle = hold.enter();
    joining.begin(hold, acquisition);
    return handle;
  }

  /** Takes back a hold that could not begin. */
  void undo(RemoteLease lease, Object owner) {
    joining.close(lease);
    for (Hold hold : here.allOver(lease)) {
      if (hold.isOwnedBy(owner)) {
        hold.release();
        here.remove(hold);
      }
    }
    if (here.over(lease) == null) {
      lease.forgetMinimum();
      givingBack.unused(lease);
    }
  }

  // ---- deadlines and losses ----

  void timerRang(RemoteLease lease) {
    expireIfPast();
    Hold first = here.firstOver(lease);
    if (first != null) {
      lease.watch(first.deadline());
    } else if (joining.isOpen(lease)) {
      lease.watch(lease.deadline());
    }
  }

  void expireIfPast() {
    if (here.isEmpty() && !joining.isOpen()) {
      return;
    }
    long now = time.now();
    joining.closeIfPast(now);
    for (Hold hold = here.pastAt(now); hold != null; hold = here.pastAt(now)) {
      lose(hold, Reason.EXPIRED, "its deadline passed without a confirmed renewal");
    }
  }

  void lose(Hold hold, Reason reason, String detail) {
    lose(hold, new LeaseLoss(cell.kind(), cell.name(), reason, detail));
  }

  private void lose(Hold hold, LeaseLoss loss) {
    hold.lose(loss);
    hold.tellEnd(loss);
    hold.trail.ended(cell, Optional.of(loss));
    gone(hold);
    left(hold);
    lost.add(hold, loss);
  }

  private void gone(Hold hold) {
    here.remove(hold);
    everLeft = true;
    lastLeft = time.now();
  }

  /** Renews a hold no more. Re-entry has it renewed again. */
  void letExpire(Hold hold) {
    joining.close(hold.remote);
    if (hold.isHeld() && here.allOver(hold.remote).size() == 1) {
      renewals.forget(hold.remote);
    }
  }

  /** What becomes of a lease that one has left: whether others are still over it. */
  boolean left(Hold hold) {
    RemoteLease lease = hold.remote;
    if (!joining.isStoodOn(lease)) {
      drop(lease);
      return false;
    }
    if (!joining.isOpen(lease) && !here.isAutomaticOver(lease)) {
      renewals.forget(lease);
    }
    return true;
  }

  /** Stops renewing and timing a lease that nobody holds. */
  void drop(RemoteLease lease) {
    joining.dropped(lease);
    renewals.forget(lease);
    lease.unwatch();
  }

  // ---- giving back ----

  /** Leaves a hold again. */
  CompletableFuture<Void> release(Entry entry) {
    joining.takeOver(entry.hold);
    if (!entry.leave()) {
      return CompletableFuture.completedFuture(null);
    }
    Hold hold = entry.hold;
    if (hold.isHeld()) {
      expireIfPast();
    }
    hold.leave(entry);
    LeaseLoss loss = hold.loss();
    if (loss != null) {
      givingBack.unwound(hold, loss);
      return CompletableFuture.failedFuture(new LeaseLostException(loss));
    }
    if (!hold.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    hold.release();
    gone(hold);
    cell.tell(() -> new LockEvent.Released(cell.kind(), cell.name(), time.since(hold.begun)));
    hold.trail.released(cell);
    hold.tellEnd(null);
    if (areShared() && left(hold)) {
      hold.trail.ended(cell, Optional.empty());
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> passed = handOvers.pass(entry);
    return passed == null ? givingBack.free(entry) : passed;
  }

  // ---- what handles and views ask ----

  /** The hold of an owner that is neither released nor lost. */
  @Nullable Hold here(Object owner) {
    expireIfPast();
    joining.closeSeatOf(owner);
    return here.of(owner);
  }

  /** The hold of an owner: one that is here, or one that it lost and has not released. */
  @Nullable Hold of(Object owner) {
    joining.closeSeatOf(owner);
    Hold hold = here.of(owner);
    return hold != null ? hold : lost.of(owner);
  }

  /** Signals the holds as lost, if there are any; completes when their handles are gone. */
  CompletableFuture<Void> close(LeaseLoss loss) {
    expireIfPast();
    joining.close();
    for (RemoteLease left : joining.leaving()) {
      if (!givingBack.isOthers(left)) {
        givingBack.unused(left); // who left it last is on the way here, and may come too late
      }
    }
    for (Hold hold : here.all()) {
      lost.atClose(hold);
      hold.unwound = new CompletableFuture<>();
      lose(hold, loss);
    }
    // An acquisition that crossed the close may have closed this cell before.
    return lost.unwound();
  }
}
