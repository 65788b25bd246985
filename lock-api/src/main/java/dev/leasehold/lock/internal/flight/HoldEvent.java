package dev.leasehold.lock.internal.flight;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockKind;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

@Name("dev.leasehold.Hold")
@Label("Lock Hold")
@Category("Leasehold")
@Description("From the acquisition of a lock to its release or loss")
@Threshold("10 ms")
final class HoldEvent extends Event implements Flight.Holding {
  @Label("Kind")
  @Description("lock, read_lock, write_lock or semaphore")
  String kind = "";

  @Label("Lock")
  final String lock;

  private final transient LockKind of;

  @Label("End")
  @Description("released, or how it was lost: expired, not_owner or closed")
  String end = "";

  HoldEvent(LockKind of, String lock) {
    this.of = of;
    this.lock = lock;
  }

  @Override
  public void end(@Nullable LeaseLoss loss) {
    end();
    if (shouldCommit()) {
      kind = JfrFlight.lower(of);
      end = loss == null ? "released" : JfrFlight.lower(loss.reason());
      commit();
    }
  }
}
