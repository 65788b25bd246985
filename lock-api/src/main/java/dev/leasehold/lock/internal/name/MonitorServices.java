package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.internal.calls.StoreHealth;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Timing;

/**
 * What the monitors of all names of one kind share.
 *
 * @param healthy the health of the store for a name that has had no trouble with it
 */
public record MonitorServices(
    LockKind kind, Timing time, Events events, Lifecycle lifecycle, StoreHealth healthy) {

  public MonitorServices(LockKind kind, Timing time, Events events, Lifecycle lifecycle) {
    this(kind, time, events, lifecycle, new StoreHealth(time));
  }
}
