package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.internal.lease.RemoteLease;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What a name's holds have left that is not cleared up yet. Most names never have any: they share
 * {@link #NONE}. Guarded by the name's mutex.
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
}
