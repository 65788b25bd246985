package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a name's holds have left that is not cleared up yet: lost holds until their owners have
 * released them, or can't any more because their handles are unreachable, and what a close waits
 * for. Most names never have any: they share {@link #NONE}. Guarded by the name's mutex.
 */
final class Leftovers {
  static final Leftovers NONE = new Leftovers(List.of(), List.of(), Set.of());

  /** The lost holds that can still be released. */
  final List<Hold> lost;

  /** The holds that existed when the manager was closed. */
  final List<Unwinding> heldAtClose;

  /** The leases that were closed while the last to leave them was still waiting for the mutex. */
  final Set<RemoteLease> leaving;

  private Leftovers(List<Hold> lost, List<Unwinding> heldAtClose, Set<RemoteLease> leaving) {
    this.lost = lost;
    this.heldAtClose = heldAtClose;
    this.leaving = leaving;
  }

  /** A hold that existed when the manager was closed. The future completes when it is released. */
  record Unwinding(Hold hold, CompletableFuture<Void> end) {}

  /** Returns one to which something can be added. */
  Leftovers own() {
    return this == NONE
        ? new Leftovers(new ArrayList<>(1), new ArrayList<>(1), new HashSet<>(2))
        : this;
  }

  /** Returns whether lost holds are left that can still be released; forgets the others. */
  boolean areLost() {
    if (!lost.isEmpty()) {
      lost.removeIf(Hold::isOutOfReach);
    }
    return !lost.isEmpty();
  }

  @Nullable Hold lostBy(Object owner) {
    return areLost()
        ? lost.stream().filter(hold -> hold.isOwnedBy(owner)).findFirst().orElse(null)
        : null;
  }

  /** Returns whether a hold over this lease that the close ended is not released yet. */
  boolean areClosedOver(RemoteLease lease) {
    return lost.stream().anyMatch(hold -> hold.remote == lease && isClosed(hold.loss()));
  }

  private static boolean isClosed(@Nullable LeaseLoss loss) {
    return loss != null && loss.reason() == LeaseLoss.Reason.CLOSED;
  }

  /** Removes a hold that was released. */
  void remove(Hold hold) {
    if (!lost.isEmpty()) {
      lost.remove(hold);
    }
  }

  /** Removes a lease that is released. */
  void remove(RemoteLease lease) {
    if (!leaving.isEmpty()) {
      leaving.remove(lease);
    }
  }

  /** Returns a hold that existed when the manager was closed, and is not released yet. */
  Optional<Hold> unreleased() {
    return heldAtClose.stream().map(Unwinding::hold).filter(hold -> !hold.isEmpty()).findFirst();
  }

  /** Returns a future that completes when all holds that existed then are released. */
  CompletableFuture<Void> unwound() {
    return CompletableFuture.allOf(
        heldAtClose.stream().map(Unwinding::end).toArray(CompletableFuture<?>[]::new));
  }

  /** Returns what the close of the manager waits for, of this hold; if it does not, any future. */
  CompletableFuture<Void> endOf(Hold hold) {
    return heldAtClose.stream()
        .filter(each -> each.hold == hold)
        .map(Unwinding::end)
        .findFirst()
        .orElseGet(CompletableFuture::new);
  }
}
