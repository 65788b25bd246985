package dev.leasehold.lock.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("dev.leasehold.RenewalFailed")
@Label("Lease Renewal Failed")
@Category("Leasehold")
@Description("The store failed to renew a lease, or did not answer; it is tried again")
@StackTrace(false)
final class RenewalFailedEvent extends Event {
  @Label("Kind")
  @Description("lock, read_lock, write_lock or semaphore")
  String kind = "";

  @Label("Lock")
  String lock = "";

  @Label("Remaining")
  @Description("How long the lease lasts without another renewal")
  @Timespan(Timespan.MILLISECONDS)
  long remaining;

  @Label("Failure")
  String failure = "";
}
