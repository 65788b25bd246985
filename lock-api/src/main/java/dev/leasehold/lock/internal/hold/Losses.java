package dev.leasehold.lock.internal.hold;

import static dev.leasehold.lock.internal.hold.HoldRecords.NEVER;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.internal.lease.LeaseState.Event;
import dev.leasehold.lock.internal.lease.Recall;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.util.Optional;

/** Ends a name's holds by deadline or by loss. Guarded by the name's mutex. */
final class Losses {
  private final HoldRecords records;

  Losses(HoldRecords records) {
    this.records = records;
  }

  /** Returns whether an owner in this process has held the name, or a share of it, since then. */
  boolean wereHeldSince(long instant) {
    return !records.here().isEmpty()
        || (records.lastLeft != NEVER && records.lastLeft - instant > 0);
  }

  void timerRang(RemoteLease lease) {
    expireIfPast();
    Hold first = records.here().firstOver(lease);
    if (first != null) {
      lease.watch(first.deadline());
    } else if (records.here().isOpen(lease)) {
      lease.watch(lease.deadline());
    }
  }

  void expireIfPast() {
    if (records.here().isEmpty() && !records.here().isOpen()) {
      return;
    }
    long now = records.monitor.now();
    records.here().closeIfPast(now);
    for (Hold hold = records.here().pastAt(now); hold != null; hold = records.here().pastAt(now)) {
      lose(hold, Reason.EXPIRED, "its deadline passed without a confirmed renewal");
    }
  }

  void lose(Hold hold, Reason reason, String detail) {
    lose(hold, new LeaseLoss(records.monitor.kind(), records.monitor.name(), reason, detail));
  }

  void lose(Hold hold, LeaseLoss loss) {
    hold.lose(loss);
    hold.tellEnd(loss);
    hold.notifier().ended(records.monitor, Optional.of(loss));
    gone(hold);
    records.releases().left(hold);
    if (loss.reason() == Reason.NOT_OWNER) {
      records.releases().on(new Event.Gone(), hold.remote);
    }
    Recall.end(hold.remote);
    records.lostHolds().add(hold, loss);
  }

  /** Removes a hold that was released or lost. */
  void gone(Hold hold) {
    records.here().remove(hold);
    records.lastLeft = records.monitor.now();
  }
}
