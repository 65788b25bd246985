package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.ReleaseStrategy;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.name.AcquisitionNotifier;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives leases back to the store when nobody here holds them any more, and takes in what it says to
 * that. Guarded by the cell's mutex.
 */
public final class Releases {
  private final Monitor monitor;
  private final ActiveHolds here;
  private final SharedLeases sharedLeases;
  private final LostHolds lost;
  private final Renewals renewals;
  private final Successors waiting;

  /** Releases and renewals on the way to a hand-over: until they end, the name is not vacant. */
  private int underWay;

  Releases(
      Monitor monitor,
      ActiveHolds here,
      SharedLeases sharedLeases,
      LostHolds lost,
      Renewals renewals,
      Successors waiting) {
    this.monitor = monitor;
    this.here = here;
    this.sharedLeases = sharedLeases;
    this.lost = lost;
    this.renewals = renewals;
    this.waiting = waiting;
  }

  public boolean isUnderWay() {
    return underWay > 0;
  }

  /** A joined hold was left past the cell, and nobody was seen who is over its lease as well. */
  public CompletableFuture<Void> left(HoldEntry entry) {
    Hold hold = entry.hold;
    entry.leave();
    hold.leave(entry);
    return left(hold) || isOthers(hold.remote)
        ? CompletableFuture.completedFuture(null)
        : free(entry);
  }

  /** What becomes of a lease that one has left: whether others are still over it. */
  public boolean left(Hold hold) {
    RemoteLease lease = hold.remote;
    if (!sharedLeases.isStoodOn(lease)) {
      drop(lease);
      return false;
    }
    if (!sharedLeases.isOpen(lease) && !here.isAutomaticOver(lease)) {
      renewals.forget(lease);
    }
    return true;
  }

  /** Stops renewing and timing a lease that nobody holds. */
  void drop(RemoteLease lease) {
    sharedLeases.dropped(lease);
    renewals.forget(lease);
    lease.unwatch();
  }

  /** Whether a lease is left for others to give back, or one of them has. */
  boolean isOthers(RemoteLease lease) {
    return sharedLeases.isStoodOn(lease) || lost.isOver(lease) || lease.givenBack;
  }

  /** From now on it is given back, and by nobody else: who left it past the cell may only come. */
  private void claim(RemoteLease lease) {
    drop(lease);
    lease.givenBack = true;
  }

  /** A lost hold was released: by its last handle, its lease is given back. */
  void unwound(Hold hold, LeaseLoss loss) {
    if (!hold.isEmpty()) {
      return;
    }
    lost.remove(hold);
    CompletableFuture<Void> end = hold.unwound;
    if (loss.reason() == Reason.NOT_OWNER) {
      return; // nothing of ours is on the store
    }
    if (isOthers(hold.remote)) {
      if (end != null) {
        end.complete(null);
      }
      return; // others stand on it
    }
    claim(hold.remote);
    // Others need not wait for the rest of a lease that nobody uses any more.
    monitor.after(
        () ->
            hold.remote
                .release()
                .whenComplete(
                    (answer, failure) -> {
                      if (end != null) {
                        end.complete(null);
                      }
                    }));
  }

  /** Frees the lock on the store, for whoever comes next. */
  CompletableFuture<Void> free(HoldEntry entry) {
    RemoteLease lease = entry.hold.remote;
    ReleaseStrategy strategy = entry.strategy;
    claim(lease);
    CompletableFuture<Void> result = new CompletableFuture<>();
    underWay++;
    Supplier<CompletableFuture<ReleaseResult>> giving =
        strategy == null ? lease::release : strategy.giving(lease);
    monitor.after(
        () ->
            monitor.onAnswer(
                giving.get(), (answer, failure) -> freed(entry, result, answer, failure)));
    return result;
  }

  /** Takes in what the store said to a release, or failed with. */
  void freed(
      HoldEntry entry,
      CompletableFuture<Void> result,
      @Nullable ReleaseResult answer,
      @Nullable LockException failure) {
    AcquisitionNotifier notifier = entry.hold.notifier;
    ended(entry.hold.remote, answer, failure);
    if (failure != null) {
      notifier.ended(monitor, Optional.empty());
      monitor.after(() -> result.completeExceptionally(failure));
    } else if (answer == ReleaseResult.NOT_OWNER) {
      LeaseLoss loss =
          new LeaseLoss(
              monitor.kind(),
              monitor.name(),
              Reason.NOT_OWNER,
              "the store no longer knew it at release");
      entry.hold.lose(loss);
      lost.signal(entry, loss);
      lost.tell(entry.hold, loss);
      notifier.ended(monitor, Optional.of(loss));
      monitor.after(() -> result.completeExceptionally(new LeaseLostException(loss)));
    } else {
      notifier.ended(monitor, Optional.empty());
      monitor.after(() -> result.complete(null));
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
      monitor.store().answered();
    } else {
      monitor.store().troubled(failure, monitor.now());
      monitor.after(lease::releaseUntilConfirmed);
    }
    waiting.givenBack(answer == ReleaseResult.RELEASED_AND_WOKE);
  }

  /** Gives a lease back that nobody holds, in the background. */
  void unused(RemoteLease lease) {
    claim(lease);
    monitor.after(lease::releaseUntilConfirmed);
  }
}
