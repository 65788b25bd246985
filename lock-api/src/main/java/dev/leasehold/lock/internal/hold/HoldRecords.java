package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.threads.Reclaimer;
import org.jspecify.annotations.Nullable;

/**
 * All that is recorded of one name's holds: those that exist, those that are lost, the lease that
 * is kept without one, and the releases under way. {@link ActiveHolds}, {@link SharedLeases},
 * {@link Losses}, {@link LostHolds}, {@link Releases}, {@link Succession} and {@link
 * LeaseExtension} are views of it with the operations on one part each. They have no state of their
 * own and are created for each use, so a held name costs no memory for them. Guarded by the name's
 * mutex; {@link #openLease} and, as a hint, {@link #newestHold} are also read without it.
 */
class HoldRecords implements Reclaimer.Watched {
  /** No ticker reads so. */
  static final long NEVER = Long.MIN_VALUE;

  final Monitor monitor;
  final HoldServices services;

  /** The waiters that may get a lease that is released here. */
  final Successors waiting;

  /** The hold that was added last, of those that are neither released nor lost. */
  @Nullable Hold newestHold;

  /** The latest of the leases that may be shared. */
  @Nullable RemoteLease newestLease;

  /** The lease that owners join without the mutex. */
  volatile @Nullable OpenLease openLease;

  Leftovers leftovers = Leftovers.NONE;

  /** The lease that has no hold and is kept; null if there is none. */
  @Nullable Idle idle;

  /**
   * The number of releases, and of renewals before a hand-over, under way: until they end, the name
   * is not vacant.
   */
  int underWay;

  /** When the last hold ended; {@link #NEVER} if none has. */
  long lastLeft = NEVER;

  /** A lease without a hold, and until when it is kept. */
  record Idle(RemoteLease lease, long until) {}

  HoldRecords(Monitor monitor, HoldServices services, Successors waiting) {
    this.monitor = monitor;
    this.services = services;
    this.waiting = waiting;
  }

  /** Returns the leftovers, to which something is added. */
  final Leftovers ownLeftovers() {
    leftovers = leftovers.own();
    return leftovers;
  }

  /** Returns the holds that are neither released nor lost. */
  final SharedLeases here() {
    return new SharedLeases(this);
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
