package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.flight.Flight;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.threads.Reclaimer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reports losses, and keeps a name's lost holds until their owners have released them, or can't any
 * more because their handles are unreachable. Guarded by the name's mutex.
 */
public final class LostHolds implements Reclaimer.Watched {
  private final Monitor monitor;
  private final EngineLog log;
  private final Reclaimer reclaimer;
  private List<Hold> holds = List.of();

  /** The holds that existed when the manager was closed. */
  private List<Hold> heldAtClose = List.of();

  LostHolds(Monitor monitor, EngineLog log, Reclaimer reclaimer) {
    this.monitor = monitor;
    this.log = log;
    this.reclaimer = reclaimer;
  }

  boolean isEmpty() {
    return holds.isEmpty();
  }

  /** Returns whether lost holds are left. Takes the mutex itself. */
  @Override
  public boolean hasLostHolds() {
    return monitor.computed(
        () -> {
          prune();
          return !holds.isEmpty();
        });
  }

  private void prune() {
    if (!holds.isEmpty()) {
      holds.removeIf(Hold::isOutOfReach);
    }
  }

  /** Reports that a hold was lost, and keeps it if it can still be released. */
  void add(Hold hold, LeaseLoss loss) {
    if (!hold.isEmpty() && !hold.isOutOfReach()) {
      if (holds.isEmpty()) {
        holds = new ArrayList<>(1);
      }
      holds.add(hold);
      reclaimer.watch(this);
    }
    hold.forEachEntry(entry -> signal(entry, loss));
    tell(hold, loss);
  }

  /** Notifies listeners and writes to the log. */
  void tell(Hold hold, LeaseLoss loss) {
    monitor.tell(() -> new LockEvent.Lost(monitor.kind(), monitor.name(), loss));
    monitor.after(() -> Flight.RECORDER.lost(loss));
    if (loss.reason() != Reason.CLOSED) { // unreleased holds are reported by the close
      monitor.after(() -> log.lost(hold, loss));
    }
  }

  /** Completes the loss signal of an entry. */
  void signal(HoldEntry entry, LeaseLoss loss) {
    CompletableFuture<LeaseLoss> signal = entry.signalIfAsked();
    if (signal != null) {
      monitor.callBack(() -> signal.complete(loss));
    }
  }

  /** Records a hold that exists when the manager is closed. */
  void atClose(Hold hold) {
    if (heldAtClose.isEmpty()) {
      heldAtClose = new ArrayList<>(1);
    }
    heldAtClose.add(hold);
  }

  /** Returns a hold that existed when the manager was closed, and is not released yet. */
  public Optional<Hold> unreleased() {
    return heldAtClose.stream().filter(hold -> !hold.isEmpty()).findFirst();
  }

  /** Returns a future that completes when all holds that existed then are released. */
  CompletableFuture<Void> unwound() {
    return CompletableFuture.allOf(
        heldAtClose.stream()
            .map(hold -> hold.unwound)
            .filter(Objects::nonNull)
            .toArray(CompletableFuture<?>[]::new));
  }

  /** Returns whether a lost hold over this lease is not released yet. */
  boolean isOver(RemoteLease lease) {
    return holds.stream().anyMatch(hold -> hold.remote == lease);
  }

  /** Removes a hold that was released. */
  void remove(Hold hold) {
    if (!holds.isEmpty()) {
      holds.remove(hold);
    }
  }

  @Nullable Hold of(Object owner) {
    prune();
    for (Hold hold : holds) {
      if (hold.isOwnedBy(owner)) {
        return hold;
      }
    }
    return null;
  }
}
