package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.internal.lease.LeaseState.Event;
import dev.leasehold.lock.internal.lease.Recall;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
import java.util.Optional;

/** Ends a name's holds by deadline or by loss. Guarded by the name's mutex. */
final class Losses {
  private final Monitor monitor;
  private final ActiveHolds here;
  private final SharedLeases sharedLeases;
  private final Releases releases;
  private final LostHolds lost;

  /** When the last hold ended. */
  private long lastLeft;

  private boolean everLeft;

  Losses(
      Monitor monitor,
      ActiveHolds here,
      SharedLeases sharedLeases,
      Releases releases,
      LostHolds lost) {
    this.monitor = monitor;
    this.here = here;
    this.sharedLeases = sharedLeases;
    this.releases = releases;
    this.lost = lost;
  }

  /** Returns whether an owner in this process has held the name, or a share of it, since then. */
  boolean wereHeldSince(long instant) {
    return !here.isEmpty() || (everLeft && lastLeft - instant > 0);
  }

  void timerRang(RemoteLease lease) {
    expireIfPast();
    Hold first = here.firstOver(lease);
    if (first != null) {
      lease.watch(first.deadline());
    } else if (sharedLeases.isOpen(lease)) {
      lease.watch(lease.deadline());
    }
  }

  void expireIfPast() {
    if (here.isEmpty() && !sharedLeases.isOpen()) {
      return;
    }
    long now = monitor.now();
    sharedLeases.closeIfPast(now);
    for (Hold hold = here.pastAt(now); hold != null; hold = here.pastAt(now)) {
      lose(hold, Reason.EXPIRED, "its deadline passed without a confirmed renewal");
    }
  }

  void lose(Hold hold, Reason reason, String detail) {
    lose(hold, new LeaseLoss(monitor.kind(), monitor.name(), reason, detail));
  }

  void lose(Hold hold, LeaseLoss loss) {
    hold.lose(loss);
    hold.tellEnd(loss);
    hold.notifier.ended(monitor, Optional.of(loss));
    gone(hold);
    releases.left(hold);
    if (loss.reason() == Reason.NOT_OWNER) {
      releases.on(new Event.Gone(), hold.remote);
    }
    Recall.end(hold.remote);
    lost.add(hold, loss);
  }

  /** Removes a hold that was released or lost. */
  void gone(Hold hold) {
    here.remove(hold);
    everLeft = true;
    lastLeft = monitor.now();
  }
}
