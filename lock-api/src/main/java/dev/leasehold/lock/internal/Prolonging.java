package dev.leasehold.lock.internal;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LockEvent;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Makes the leases of a name last: extension, renewal, and when not. Guarded by the cell's mutex.
 */
final class Prolonging {
  private final LockCell cell;
  private final Holds holds;
  private final HeldHere here;
  private final Timing time;
  private final Renewals renewals;
  private final EngineLog log;
  private final AbandonedHolds abandoned;

  Prolonging(
      LockCell cell,
      Holds holds,
      HeldHere here,
      Timing time,
      Renewals renewals,
      EngineLog log,
      AbandonedHolds abandoned) {
    this.cell = cell;
    this.holds = holds;
    this.here = here;
    this.time = time;
    this.renewals = renewals;
    this.log = log;
    this.abandoned = abandoned;
  }

  /** Asks for at least {@code ttl} on the store; true if the hold now has it. */
  CompletableFuture<Boolean> prolong(Hold hold, Duration ttl) {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    if (!hold.isHeld()) {
      cell.after(() -> result.complete(false));
      return result;
    }
    holds.joining().close(hold.remote); // it may last longer now than who joins asks for
    hold.remote.renew(
        ttl,
        (deadline, failure) -> {
          if (failure != null) {
            cell.store().troubled(failure, time.now());
            cell.after(() -> result.completeExceptionally(failure));
            return;
          }
          boolean kept = goesOn(hold, deadline);
          if (kept) {
            hold.extended(deadline.getAsLong());
          }
          cell.after(() -> result.complete(kept));
        });
    return result;
  }

  /** Takes in the answer to an automatic renewal of a lease; whether it goes on. */
  boolean renewed(RemoteLease lease, OptionalLong deadline) {
    holds.expireIfPast();
    holds.joining().close(lease);
    Hold hold = here.over(lease);
    if (hold == null || !goesOn(hold, deadline)) {
      return false;
    }
    cell.tell(() -> new LockEvent.Renewed(cell.kind(), cell.name(), lease.remaining()));
    return true;
  }

  /** Whether a hold goes on after the store's answer to a renewal of its lease. */
  private boolean goesOn(Hold hold, OptionalLong deadline) {
    cell.store().answered();
    if (deadline.isEmpty()) {
      for (Hold each : here.allOver(hold.remote)) {
        holds.lose(each, Reason.NOT_OWNER, "the store no longer knew it at renewal");
      }
    }
    return hold.isHeld();
  }

  /** Whether a lease is to be renewed: it is held, and not abandoned for good. */
  boolean isToBeRenewed(RemoteLease lease) {
    holds.expireIfPast();
    holds.joining().close(lease);
    List<Hold> over = here.allOver(lease);
    boolean expires = abandoned == AbandonedHolds.EXPIRE;
    boolean needed = false;
    for (Hold hold : over) {
      if (hold.becomesAbandoned()) {
        cell.tell(() -> new LockEvent.Abandoned(cell.kind(), cell.name(), time.since(hold.begun)));
        cell.after(() -> log.abandoned(hold, expires));
      }
      needed |= !hold.isAbandoned() || !expires;
    }
    if (!needed && !over.isEmpty()) {
      renewals.forget(lease);
    }
    return needed;
  }
}
