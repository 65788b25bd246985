package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.internal.flight.Flight;
import dev.leasehold.lock.internal.hold.Leftovers.Unwinding;
import dev.leasehold.lock.internal.lease.LeaseState.Event;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Ends a name's holds by deadline or by loss, and keeps the lost ones until their owners have
 * released them, or can't any more because their handles are unreachable. Guarded by the name's
 * mutex.
 */
public final class Losses {
  private final SharedLeases records;

  Losses(SharedLeases records) {
    this.records = records;
  }

  void timerRang(RemoteLease lease) {
    expireIfPast();
    Hold first = records.firstToEnd(lease);
    if (first != null) {
      lease.watch(first.deadline());
    } else if (records.isOpen(lease)) {
      lease.watch(lease.deadline());
    }
  }

  void expireIfPast() {
    if (records.newestHold == null && records.openLease == null) {
      return;
    }
    long now = records.monitor.now();
    records.closeIfPast(now);
    for (Hold hold = records.holdPast(now); hold != null; hold = records.holdPast(now)) {
      lose(hold, Reason.EXPIRED, "its deadline passed without a confirmed renewal");
    }
  }

  void lose(Hold hold, Reason reason, String detail) {
    lose(hold, records.monitor.loss(reason, detail));
  }

  void lose(Hold hold, LeaseLoss loss) {
    hold.lose(loss);
    hold.observers.lost(records.monitor, loss);
    gone(hold);
    records.releases().left(hold);
    if (loss.reason() == Reason.NOT_OWNER) {
      records.releases().on(new Event.Gone(), hold.remote);
    }
    hold.remote.stopListening();
    keep(hold, loss);
  }

  /** Removes a hold that was released or lost. */
  void gone(Hold hold) {
    records.remove(hold);
    records.lastLeft = records.monitor.now();
  }

  // ---- the lost holds ----

  boolean areNone() {
    return records.leftovers.lost.isEmpty();
  }

  /** Returns whether lost holds are left that can still be released; forgets the others. */
  boolean areLeft() {
    prune();
    return !areNone();
  }

  private void prune() {
    if (!records.leftovers.lost.isEmpty()) {
      records.leftovers.lost.removeIf(Hold::isOutOfReach);
    }
  }

  /** Reports that a hold was lost, and keeps it if it can still be released. */
  private void keep(Hold hold, LeaseLoss loss) {
    if (!hold.isEmpty() && !hold.isOutOfReach()) {
      records.ownLeftovers().lost.add(hold);
      records.monitor.services().reclaimer().watch(records);
    }
    hold.forEachEntry(entry -> signal(entry, loss));
    tell(hold, loss);
  }

  /** Notifies listeners and writes to the log. */
  void tell(Hold hold, LeaseLoss loss) {
    records.monitor.tell((kind, name) -> new LockEvent.Lost(kind, name, loss));
    records.monitor.after(() -> Flight.RECORDER.lost(loss));
    if (loss.reason() != Reason.CLOSED) { // unreleased holds are reported by the close
      records.monitor.after(() -> records.monitor.services().log().lost(hold, loss));
    }
  }

  /** Completes the loss signal of an entry. */
  void signal(HoldEntry entry, LeaseLoss loss) {
    CompletableFuture<LeaseLoss> signal = entry.signalIfAsked();
    if (signal != null) {
      records.monitor.callBack(() -> signal.complete(loss));
    }
  }

  /** Records a hold that exists when the manager is closed. */
  void atClose(Hold hold) {
    records.ownLeftovers().heldAtClose.add(new Unwinding(hold, new CompletableFuture<>()));
  }

  /** Returns a hold that existed when the manager was closed, and is not released yet. */
  public Optional<Hold> unreleased() {
    return records.leftovers.heldAtClose.stream()
        .map(Unwinding::hold)
        .filter(hold -> !hold.isEmpty())
        .findFirst();
  }

  /** Returns a future that completes when all holds that existed then are released. */
  CompletableFuture<Void> unwound() {
    return CompletableFuture.allOf(
        records.leftovers.heldAtClose.stream()
            .map(Unwinding::end)
            .toArray(CompletableFuture<?>[]::new));
  }

  /** Returns what the close of the manager waits for, of this hold; null if it does not. */
  @Nullable CompletableFuture<Void> unwinding(Hold hold) {
    for (Unwinding each : records.leftovers.heldAtClose) {
      if (each.hold() == hold) {
        return each.end();
      }
    }
    return null;
  }

  /** Returns whether a lost hold over this lease is not released yet. */
  boolean isOver(RemoteLease lease) {
    return records.leftovers.lost.stream().anyMatch(hold -> hold.remote == lease);
  }

  /** Removes a hold that was released. */
  void remove(Hold hold) {
    if (!records.leftovers.lost.isEmpty()) {
      records.leftovers.lost.remove(hold);
    }
  }

  @Nullable Hold of(Object owner) {
    prune();
    for (Hold hold : records.leftovers.lost) {
      if (hold.isOwnedBy(owner)) {
        return hold;
      }
    }
    return null;
  }
}
