package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.ReleaseStrategy;
import dev.leasehold.lock.internal.lease.LeaseState.Effect;
import dev.leasehold.lock.internal.lease.LeaseState.Event;
import dev.leasehold.lock.internal.lease.Recall;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.AcquisitionNotifier;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Releases leases on the store when they have no holds left in this process, and processes the
 * answers. Guarded by the name's mutex.
 */
public final class Releases {
  private final HoldRecords records;

  Releases(HoldRecords records) {
    this.records = records;
  }

  public boolean isUnderWay() {
    return records.underWay > 0;
  }

  /**
   * Completes the release of a joined hold that was left without the mutex, and seemed to be the
   * last over its lease.
   */
  public CompletableFuture<Void> left(HoldEntry entry) {
    Hold hold = entry.hold;
    entry.leave();
    hold.leave(entry);
    return left(hold) || isOthers(hold.remote)
        ? CompletableFuture.completedFuture(null)
        : release(entry);
  }

  /**
   * Releases a lease that passes to no other hold, unless a step under the mutex did so before: a
   * hold that was left without the mutex may get here late.
   */
  CompletableFuture<Void> release(HoldEntry entry) {
    return entry.hold.remote.on(Event.Left.FOR_GOOD) == Effect.RELEASE
        ? free(entry)
        : CompletableFuture.completedFuture(null);
  }

  /** Drops the lease of a hold that ended, unless others share it. Returns whether others do. */
  public boolean left(Hold hold) {
    RemoteLease lease = hold.remote;
    if (!records.here().isStoodOn(lease)) {
      drop(lease);
      return false;
    }
    if (!records.here().isOpen(lease) && !records.here().isAutomaticOver(lease)) {
      records.services.renewals().forget(lease);
    }
    return true;
  }

  /** Stops renewing and timing a lease that has no holds. */
  void drop(RemoteLease lease) {
    records.here().dropped(lease);
    records.services.renewals().forget(lease);
    lease.unwatch();
  }

  /** Returns whether the release of a lease is left to other holds over it. */
  boolean isOthers(RemoteLease lease) {
    return records.here().isStoodOn(lease) || records.lostHolds().isOver(lease);
  }

  /** Ends what this process does for a lease that has ended. */
  private void end(RemoteLease lease) {
    drop(lease);
    Recall.end(lease);
  }

  /** Processes the release of a lost hold: with its last handle, its lease is released. */
  void unwound(Hold hold) {
    if (!hold.isEmpty()) {
      return;
    }
    records.lostHolds().remove(hold);
    CompletableFuture<Void> end = records.lostHolds().unwinding(hold);
    RemoteLease lease = hold.remote;
    if (isOthers(lease) || lease.on(Event.Left.FOR_GOOD) != Effect.RELEASE) {
      if (end != null) {
        end.complete(null);
      }
      return;
    }
    end(lease);
    // Others need not wait for the rest of an unused lease.
    records.monitor.after(
        () ->
            lease
                .release()
                .whenComplete(
                    (answer, failure) -> {
                      if (end != null) {
                        end.complete(null);
                      }
                    }));
  }

  /** Performs {@link Effect#RELEASE}. */
  CompletableFuture<Void> free(HoldEntry entry) {
    RemoteLease lease = entry.hold.remote;
    ReleaseStrategy strategy = entry.strategy;
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
  void freed(
      HoldEntry entry,
      CompletableFuture<Void> result,
      @Nullable ReleaseResult answer,
      @Nullable LockException failure) {
    AcquisitionNotifier notifier = entry.hold.notifier();
    ended(entry.hold.remote, answer, failure);
    if (failure != null) {
      notifier.ended(records.monitor, Optional.empty());
      records.monitor.after(() -> result.completeExceptionally(failure));
    } else if (answer == ReleaseResult.NOT_OWNER) {
      LeaseLoss loss =
          new LeaseLoss(
              records.monitor.kind(),
              records.monitor.name(),
              Reason.NOT_OWNER,
              "the store no longer had it at release");
      entry.hold.lose(loss);
      records.lostHolds().signal(entry, loss);
      records.lostHolds().tell(entry.hold, loss);
      notifier.ended(records.monitor, Optional.of(loss));
      records.monitor.after(() -> result.completeExceptionally(new LeaseLostException(loss)));
    } else {
      notifier.ended(records.monitor, Optional.empty());
      records.monitor.after(() -> result.complete(null));
    }
  }

  /** Records the begin of an operation that keeps the name from being vacant. */
  void underWay() {
    records.underWay++;
  }

  /**
   * Records the end of such an operation: with a release's answer, a failure of unknown outcome, or
   * neither.
   */
  void ended(RemoteLease lease, @Nullable ReleaseResult answer, @Nullable LockException failure) {
    records.underWay--;
    if (failure == null) {
      records.monitor.answered();
    } else {
      records.monitor.troubled(failure, records.monitor.now());
      records.monitor.after(lease::releaseUntilConfirmed);
    }
    records.waiting.givenBack(answer == ReleaseResult.RELEASED_AND_WOKE);
  }

  /** Processes an event that ends a lease without an outcome for a caller. */
  void on(Event event, RemoteLease lease) {
    perform(lease.on(event), lease);
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
}
