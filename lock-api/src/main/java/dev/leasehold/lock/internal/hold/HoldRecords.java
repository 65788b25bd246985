package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.threads.Reclaimer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is recorded of one name's holds: those that exist, those that are lost, the lease that
 * is kept without one, and the releases under way. {@link Losses}, {@link LostHolds}, {@link
 * Releases}, {@link Succession} and {@link LeaseExtension} are views of it with the operations on
 * one part each. They have no state of their own and are created for each use, so a held name costs
 * no memory for them. Guarded by the name's mutex.
 */
class HoldRecords implements Reclaimer.Watched {
  final Monitor monitor;
  final HoldServices services;

  /** The waiters that may get a lease that is released here. */
  final Successors waiting;

  /** The holds that are neither released nor lost. */
  final SharedLeases here;

  /** The lost holds that can still be released. */
  List<Hold> lost = List.of();

  /** The holds that existed when the manager was closed. */
  List<Hold> heldAtClose = List.of();

  /** The lease that has no hold and is kept; null if there is none. */
  @Nullable Idle idle;

  /**
   * The number of releases, and of renewals before a hand-over, under way: until they end, the name
   * is not vacant.
   */
  int underWay;

  boolean everLeft;

  /** When the last hold ended. */
  long lastLeft;

  /** A lease without a hold, and until when it is kept. */
  record Idle(RemoteLease lease, long until) {}

  HoldRecords(Monitor monitor, HoldServices services, Successors waiting) {
    this.monitor = monitor;
    this.services = services;
    this.waiting = waiting;
    this.here = new SharedLeases(monitor);
  }

  final Losses losses() {
    return new Losses(this);
  }

  /** Returns the lost holds. */
  public final LostHolds lostHolds() {
    return new LostHolds(this);
  }

  /** Returns the releases of leases. */
  public final Releases releases() {
    return new Releases(this);
  }

  final Succession succession() {
    return new Succession(this);
  }

  /** Returns the extension of leases. */
  public final LeaseExtension extension() {
    return new LeaseExtension(this);
  }

  @Override
  public final boolean hasLostHolds() {
    return monitor.computed(() -> lostHolds().areLeft());
  }
}
