package dev.leasehold.lock.internal;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
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

  /** The latest lease of several that may be shared. */
  private @Nullable RemoteLease newest;

  /** Releases and renewals on the way to a hand-over: until they end, the name is not vacant. */
  private int underWay;

  private final HandOvers handOvers;
  private final Prolonging prolonging;

  private final LostHolds lost;

  Holds(
      LockCell cell,
      Sharing sharing,
      Timing time,
      Renewals renewals,
      EngineLog log,
      AbandonedHolds abandoned,
      LostHolds lost) {
    this.cell = cell;
    this.sharing = sharing;
    this.time = time;
    this.renewals = renewals;
    this.handOvers = new HandOvers(cell, this, time);
    this.prolonging = new Prolonging(cell, this, here, time, renewals, log, abandoned);
    this.lost = lost;
  }

  /** Whether somebody in this process has the name to itself, or is about to. */
  boolean isHeld() {
    expireIfPast();
    return !admits();
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
    return here.isEmpty() && underWay == 0;
  }

  boolean isForgotten() {
    return isVacant() && lost.isEmpty();
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
    Hold before = lost.of(acquisition.owner);
    LeaseLoss loss = before == null ? null : before.loss();
    if (loss != null) {
      cell.decide(acquisition, Decision.failed(new LeaseLostException(loss)));
      return true;
    }
    Hold hold = here.of(acquisition.owner);
    if (hold == null) {
      return joins(acquisition);
    }
    LeaseHandle handle = hold.enter();
    if (hold.isAutomatic()) {
      renewals.keep(hold.remote); // if it was abandoned, it no longer is
    }
    Duration wanted = Drift.wholeMillis(acquisition.options.lease());
    boolean grows = !hold.isAutomatic() && Drift.deadline(time.now(), wanted) - hold.deadline() > 0;
    if (grows) {
      cell.grows(acquisition, handle, wanted);
    } else {
      cell.decide(acquisition, Decision.has(Outcome.REENTERED, handle));
    }
    return true;
  }

  /** Lets a waiter join those over the newest lease, if that may be: true if it did. */
  boolean joins(Acquisition acquisition) {
    RemoteLease lease = newest;
    if (lease == null || here.over(lease) == null || !handOvers.doesFor(lease, acquisition)) {
      return false;
    }
    lease.joined++;
    cell.tell(() -> new LockEvent.HandedOver(cell.name(), time.since(acquisition.arrived)));
    cell.take(acquisition, lease, Outcome.HANDED_OVER, () -> begin(acquisition, lease));
    return true;
  }

  /** Those who waited while one asked for all. */
  void letJoin(Collection<Acquisition> queue) {
    if (areShared()) {
      for (Acquisition waiter : List.copyOf(queue)) {
        if (!waiter.isServed()) { // its owner may have come in by another of its waiters
          joins(waiter);
        }
      }
    }
  }

  LeaseHandle granted(Acquisition acquisition, RemoteLease lease) {
    newest = areShared() ? lease : null;
    Hold hold = sharing == Sharing.ONE ? here.any() : null;
    if (hold != null) {
      lose(hold, Reason.NOT_OWNER, "the store granted the lock anew while it was held");
    }
    cell.tell(() -> new LockEvent.Acquired(cell.name(), time.since(acquisition.arrived)));
    return begin(acquisition, lease);
  }

  /** A waiter's hold over a lease begins. */
  LeaseHandle begin(Acquisition acquisition, RemoteLease lease) {
    long now = time.now();
    long own = Drift.deadline(now, Drift.wholeMillis(acquisition.options.lease()));
    own = Math.min(own - now, Minimum.deadline(acquisition.options, lease.deadline()) - now) + now;
    Hold hold = new Hold(cell, lease, acquisition, now, own);
    here.add(hold);
    if (hold.isAutomatic()) {
      lease.renewFor(acquisition.options.lease());
      renewals.keep(lease);
    } else if (!here.isAutomaticOver(lease)) {
      renewals.forget(lease);
    }
    lease.watch(hold.deadline());
    return hold.enter();
  }

  /** Takes back a hold that could not begin. */
  void undo(RemoteLease lease, Object owner) {
    for (Hold hold : here.allOver(lease)) {
      if (hold.isOwnedBy(owner)) {
        hold.release();
        here.remove(hold);
      }
    }
    if (here.over(lease) != null) {
      return;
    }
    drop(lease);
    lease.forgetMinimum();
    cell.after(lease::releaseUntilConfirmed);
  }

  // ---- deadlines and losses ----

  void timerRang(RemoteLease lease) {
    expireIfPast();
    Hold first = here.firstOver(lease);
    if (first != null) {
      lease.watch(first.deadline());
    }
  }

  void expireIfPast() {
    if (here.isEmpty()) {
      return;
    }
    long now = time.now();
    for (Hold hold = here.pastAt(now); hold != null; hold = here.pastAt(now)) {
      lose(hold, Reason.EXPIRED, "its deadline passed without a confirmed renewal");
    }
  }

  void lose(Hold hold, Reason reason, String detail) {
    lose(hold, new LeaseLoss(cell.name(), reason, detail));
  }

  private void lose(Hold hold, LeaseLoss loss) {
    hold.lose(loss);
    hold.tellEnd(loss);
    hold.trail.ended(cell, Optional.of(loss));
    here.remove(hold);
    left(hold);
    lost.add(hold, loss);
  }

  /** Renews a hold no more. Re-entry has it renewed again. */
  void letExpire(Hold hold) {
    if (hold.isHeld() && here.allOver(hold.remote).size() == 1) {
      renewals.forget(hold.remote);
    }
  }

  /** What becomes of a lease that one has left: whether others are still over it. */
  private boolean left(Hold hold) {
    RemoteLease lease = hold.remote;
    if (here.over(lease) == null) {
      drop(lease);
      return false;
    }
    if (!here.isAutomaticOver(lease)) {
      renewals.forget(lease);
    }
    return true;
  }

  /** Stops renewing and timing a lease that nobody holds. */
  void drop(RemoteLease lease) {
    renewals.forget(lease);
    lease.unwatch();
  }

  // ---- giving back ----

  /** Leaves a hold again. */
  CompletableFuture<Void> release(Entry entry) {
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
      unwind(hold, loss);
      return CompletableFuture.failedFuture(new LeaseLostException(loss));
    }
    if (!hold.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    hold.release();
    here.remove(hold);
    cell.tell(() -> new LockEvent.Released(cell.name(), time.since(hold.begun)));
    hold.trail.released(cell);
    hold.tellEnd(null);
    if (areShared() && left(hold)) {
      hold.trail.ended(cell, Optional.empty());
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> passed = handOvers.pass(entry);
    return passed == null ? free(entry) : passed;
  }

  private void unwind(Hold hold, LeaseLoss loss) {
    if (!hold.isEmpty()) {
      return;
    }
    lost.remove(hold);
    CompletableFuture<Void> unwound = hold.unwound;
    if (loss.reason() == Reason.NOT_OWNER) {
      return; // nothing of ours is on the store
    }
    if (here.over(hold.remote) != null || lost.isOver(hold.remote)) {
      if (unwound != null) {
        unwound.complete(null);
      }
      return; // others stand on it
    }
    // Others need not wait for the rest of a lease that nobody uses any more.
    cell.after(
        () ->
            hold.remote
                .release()
                .whenComplete(
                    (answer, failure) -> {
                      if (unwound != null) {
                        unwound.complete(null);
                      }
                    }));
  }

  /** Frees the lock on the store, for whoever comes next. */
  private CompletableFuture<Void> free(Entry entry) {
    RemoteLease lease = entry.hold.remote;
    drop(lease);
    CompletableFuture<Void> result = new CompletableFuture<>();
    underWay++;
    cell.after(
        () ->
            cell.onAnswer(
                lease.release(), (answer, failure) -> freed(entry, result, answer, failure)));
    return result;
  }

  /** Takes in what the store said to a release, or failed with. */
  void freed(
      Entry entry,
      CompletableFuture<Void> result,
      @Nullable ReleaseResult answer,
      @Nullable LockException failure) {
    Trail trail = entry.hold.trail;
    ended(entry.hold.remote, answer, failure);
    if (failure != null) {
      trail.ended(cell, Optional.empty());
      cell.after(() -> result.completeExceptionally(failure));
    } else if (answer == ReleaseResult.NOT_OWNER) {
      LeaseLoss loss =
          new LeaseLoss(cell.name(), Reason.NOT_OWNER, "the store no longer knew it at release");
      entry.hold.lose(loss);
      lost.signal(entry, loss);
      lost.tell(entry.hold, loss);
      trail.ended(cell, Optional.of(loss));
      cell.after(() -> result.completeExceptionally(new LeaseLostException(loss)));
    } else {
      trail.ended(cell, Optional.empty());
      cell.after(() -> result.complete(null));
    }
  }

  /** An operation that kept the name from being vacant begins. */
  void underWay() {
    underWay++;
  }

  /** Such an operation ended: with a release's answer, a failure of unknown outcome, or neither. */
  void ended(RemoteLease lease, @Nullable ReleaseResult answer, @Nullable LockException failure) {
    underWay--;
    if (failure == null) {
      cell.store().answered();
    } else {
      cell.store().troubled(failure, time.now());
      cell.after(lease::releaseUntilConfirmed);
    }
    if (answer == ReleaseResult.RELEASED_AND_WOKE) {
      cell.beCourteous();
    }
  }

  // ---- what handles and views ask ----

  /** The hold of an owner that is neither released nor lost. */
  @Nullable Hold here(Object owner) {
    expireIfPast();
    return here.of(owner);
  }

  /** The hold of an owner: one that is here, or one that it lost and has not released. */
  @Nullable Hold of(Object owner) {
    Hold hold = here.of(owner);
    return hold != null ? hold : lost.of(owner);
  }

  /** Signals the holds as lost, if there are any; completes when their handles are gone. */
  CompletableFuture<Void> close(LeaseLoss loss) {
    expireIfPast();
    for (Hold hold : here.all()) {
      lost.atClose(hold);
      hold.unwound = new CompletableFuture<>();
      lose(hold, loss);
    }
    // An acquisition that crossed the close may have closed this cell before.
    return lost.unwound();
  }
}
