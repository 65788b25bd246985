package dev.leasehold.lock.internal.flight;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.LockKind;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

@Name("dev.leasehold.Acquisition")
@Label("Lock Acquisition")
@Category("Leasehold")
@Description("From the request for a lock to its acquisition, or to giving up")
@Threshold("10 ms")
final class AcquisitionEvent extends Event implements Flight.Acquiring {
  @Label("Kind")
  @Description("lock, read_lock, write_lock or semaphore")
  String kind = "";

  @Label("Lock")
  final String lock;

  private final transient LockKind of;

  @Label("Outcome")
  @Description("granted, handed_over, reentered, refused, cancelled or failed")
  String outcome = "";

  @Label("Contended")
  @Description("Whether others held or wanted the lock")
  boolean contended;

  AcquisitionEvent(LockKind of, String lock) {
    this.of = of;
    this.lock = lock;
  }

  @Override
  public void end(Outcome how, boolean withOthers) {
    end();
    if (shouldCommit()) {
      kind = JfrFlight.lower(of);
      outcome = JfrFlight.lower(how);
      contended = withOthers;
      commit();
    }
  }
}
