package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Extends and renews the leases of a name, and decides which are no longer renewed. Guarded by the
 * name's mutex.
 */
public final class LeaseExtension {
  private final Monitor monitor;
  private final ActiveHolds here;
  private final SharedLeases sharedLeases;
  private final Losses losses;
  private final Succession succession;
  private final HoldServices services;

  LeaseExtension(
      Monitor monitor,
      ActiveHolds here,
      SharedLeases sharedLeases,
      Losses losses,
      Succession succession,
      HoldServices services) {
    this.monitor = monitor;
    this.here = here;
    this.sharedLeases = sharedLeases;
    this.losses = losses;
    this.succession = succession;
    this.services = services;
  }

  /**
   * Extends the lease to at least {@code ttl} on the store. The result is true if the hold then has
   * it.
   */
  public CompletableFuture<Boolean> prolong(Hold hold, Duration ttl) {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    if (!hold.isHeld()) {
      monitor.after(() -> result.complete(false));
      return result;
    }
    sharedLeases.close(hold.remote); // it may now last longer than a joining claim asks for
    hold.remote.renew(
        ttl,
        (deadline, failure) -> {
          if (failure != null) {
            monitor.troubled(failure, monitor.now());
            monitor.after(() -> result.completeExceptionally(failure));
            return;
          }
          answered(hold.remote, deadline);
          boolean kept = hold.isHeld();
          if (kept) {
            hold.extended(deadline.getAsLong());
          }
          monitor.after(() -> result.complete(kept));
        });
    return result;
  }

  /**
   * Processes the answer to an automatic renewal of a lease. Returns whether the lease continues.
   */
  boolean renewed(RemoteLease lease, OptionalLong deadline) {
    losses.expireIfPast();
    sharedLeases.close(lease);
    if (succession.isIdle(lease)) {
      services.renewals().forget(lease); // the next hold over it begins anew
    }
    answered(lease, deadline);
    if (here.over(lease) == null) {
      return false;
    }
    monitor.tell(() -> new LockEvent.Renewed(monitor.kind(), monitor.name(), lease.remaining()));
    return true;
  }

  /**
   * Processes the store's answer to any renewal of a lease, whose holds may have ended meanwhile.
   */
  private void answered(RemoteLease lease, OptionalLong deadline) {
    monitor.answered();
    if (deadline.isEmpty()) {
      for (Hold each : here.allOver(lease)) {
        losses.lose(each, Reason.NOT_OWNER, "the store no longer had it at renewal");
      }
      succession.gone(lease);
    }
  }

  /** Returns whether a lease is to be renewed: it is held, and not abandoned for good. */
  boolean isToBeRenewed(RemoteLease lease) {
    losses.expireIfPast();
    sharedLeases.close(lease);
    List<Hold> over = here.allOver(lease);
    boolean expires = services.abandoned() == AbandonedHolds.EXPIRE;
    boolean needed = false;
    for (Hold hold : over) {
      if (hold.becomesAbandoned()) {
        monitor.tell(
            () ->
                new LockEvent.Abandoned(
                    monitor.kind(), monitor.name(), monitor.time().since(hold.begun)));
        monitor.after(() -> services.log().abandoned(hold, expires));
      }
      needed |= !hold.isAbandoned() || !expires;
    }
    if (!needed && (!over.isEmpty() || succession.isIdle(lease))) {
      services.renewals().forget(lease);
    }
    return needed;
  }
}
