package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Extends and renews the leases of a name, and decides which are no longer renewed. Guarded by the
 * name's mutex.
 */
public final class LeaseExtension {
  private final Holds records;

  LeaseExtension(Holds records) {
    this.records = records;
  }

  /**
   * Extends the lease to at least {@code ttl} on the store. The result is true if the hold then has
   * it.
   */
  public CompletableFuture<Boolean> prolong(Hold hold, Duration ttl) {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    if (!hold.isHeld()) {
      records.monitor.after(() -> result.complete(false));
      return result;
    }
    records.closeIfOpen(hold.remote); // it may now last longer than a joining claim asks for
    hold.remote.renew(
        ttl,
        (deadline, failure) -> {
          if (failure != null) {
            records.monitor.troubled(failure, records.monitor.now());
            records.monitor.after(() -> result.completeExceptionally(failure));
            return;
          }
          answered(hold.remote, deadline);
          boolean kept = hold.isHeld();
          if (kept) {
            hold.extended(deadline.getAsLong());
          }
          records.monitor.after(() -> result.complete(kept));
        });
    return result;
  }

  /**
   * Processes the answer to an automatic renewal of a lease. Returns whether the lease continues.
   */
  boolean renewed(RemoteLease lease, OptionalLong deadline) {
    records.expireIfPast();
    records.closeIfOpen(lease);
    if (records.releases().isIdle(lease)) {
      records.renewals.forget(lease); // the next hold over it begins anew
    }
    answered(lease, deadline);
    if (records.holdOver(lease) == null) {
      return false;
    }
    records.monitor.tell((kind, name) -> new LockEvent.Renewed(kind, name, lease.remaining()));
    return true;
  }

  /**
   * Processes the store's answer to any renewal of a lease, whose holds may have ended meanwhile.
   */
  private void answered(RemoteLease lease, OptionalLong deadline) {
    records.monitor.answered();
    if (deadline.isEmpty()) {
      for (Hold each : records.holdsOver(lease)) {
        records.lose(each, Reason.NOT_OWNER, "the store no longer had it at renewal");
      }
      records.releases().gone(lease);
    }
  }

  /** Returns whether a lease is to be renewed: it is held, and not abandoned for good. */
  boolean isToBeRenewed(RemoteLease lease) {
    records.expireIfPast();
    records.closeIfOpen(lease);
    List<Hold> over = records.holdsOver(lease);
    boolean expires = records.monitor.services().config().abandoned() == AbandonedHolds.EXPIRE;
    boolean needed = false;
    for (Hold hold : over) {
      if (hold.becomesAbandoned()) {
        records.monitor.tell(
            (kind, name) ->
                new LockEvent.Abandoned(kind, name, records.monitor.time().since(hold.begun)));
        records.monitor.after(() -> records.monitor.services().log().abandoned(hold, expires));
      }
      needed |= !hold.isAbandoned() || !expires;
    }
    if (!needed && (!over.isEmpty() || records.releases().isIdle(lease))) {
      records.renewals.forget(lease);
    }
    return needed;
  }
}
