package dev.leasehold.lock.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.leasehold.LeaseLost")
@Label("Lease Lost")
@Category("Leasehold")
@Description("A lease was lost while it was held, or its release found that out")
@StackTrace(false)
final class LeaseLostEvent extends Event {
  @Label("Kind")
  @Description("lock, read_lock, write_lock or semaphore")
  String kind = "";

  @Label("Lock")
  String lock = "";

  @Label("Reason")
  @Description("expired, not_owner or closed")
  String reason = "";

  @Label("Detail")
  String detail = "";
}
