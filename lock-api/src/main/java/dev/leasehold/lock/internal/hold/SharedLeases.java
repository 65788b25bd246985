package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.internal.flight.Flight;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.threads.Reclaimer;
import org.jspecify.annotations.Nullable;

/**
 * The records of a name, and how owners join one lease of it, and leave it: under the mutex, or
 * without it if the {@link OpenLease} allows that. At most one lease is open, the newest.
 *
 * <p>A lease with automatic renewal is open to owners that rejoin it, for a limited time. An
 * operation that must see all holds over it closes it first: a renewal, a loss, a newer lease, the
 * close of the manager. All holds are then under the mutex, and the next owner that joins under the
 * mutex may open the lease again. If there are listeners, or Flight Recorder records locks, all
 * owners use the mutex. Guarded by the name's mutex, unless a method says otherwise.
 */
abstract class SharedLeases extends HoldRecords implements Reclaimer.Watched {
  /** The result of a release that avoids the mutex. */
  public enum Leaving {
    /** The release must take the mutex: the hold isn't joined, or is past its deadline. */
    NOT_JOINED,
    /** The hold was left, and others share its lease. */
    LEFT,
    /** The hold was left, and no other was seen on its lease. */
    LEFT_AS_LAST
  }

  SharedLeases(Monitor monitor, Renewals renewals, Successors waiting) {
    super(monitor, renewals, waiting);
  }

  @Override
  public final boolean hasLostHolds() {
    return monitor.computed(() -> losses().areLeft());
  }

  // ---- the views, with the operations on one part each ----

  /** Returns the losses, and the lost holds. */
  public final Losses losses() {
    return new Losses(this);
  }

  /** Returns the releases of leases. */
  public final Releases releases() {
    return new Releases(this);
  }

  /** Returns the extension of leases. */
  public final LeaseExtension extension() {
    return new LeaseExtension(this);
  }

  /** Returns whether there are listeners or recordings, which are only notified under the mutex. */
  boolean isWatched() {
    return monitor.isHeard() || Flight.RECORDER.isOn();
  }

  // ---- without the mutex, by any thread ----

  /**
   * Begins a hold of an owner that shared the open lease before; null if it has to take the mutex.
   */
  @Nullable HoldEntry rejoin(Object owner, LockOptions options) {
    OpenLease now = openLease;
    return now == null || isWatched() ? null : now.join(owner, options, monitor.now());
  }

  /** Leaves a joined hold, if possible without the mutex. */
  public Leaving leave(Hold hold) {
    OpenLease home = hold.home;
    if (home == null || hold.deadline() - monitor.now() <= 0 || !hold.leaveByItself()) {
      return Leaving.NOT_JOINED;
    }
    return home.isAttended() ? Leaving.LEFT : Leaving.LEFT_AS_LAST;
  }

  /**
   * Returns the entry of a thread's joined hold that was made through a view; null if there is
   * none.
   */
  @Nullable
  public HoldEntry viewed(Thread thread) {
    OpenLease now = openLease;
    Hold hold = now == null ? null : now.joinedBy(thread);
    return hold == null ? null : hold.latestViewed();
  }

  // ---- joining ----

  /** Lets a waiter join the newest lease; null if it may not. */
  @Nullable
  public RemoteLease joins(Claim claim) {
    RemoteLease lease = newestLease;
    if (lease == null
        || !isStoodOn(lease)
        || !HandOverLimits.doesFor(lease, claim, monitor.now())) {
      return null;
    }
    lease.joined++;
    monitor.tell(
        (kind, name) -> new LockEvent.HandedOver(kind, name, monitor.time().since(claim.arrived)));
    return lease;
  }

  /**
   * Returns the open lease in which a new hold gets a seat. Null if it gets none: its owner can't
   * rejoin, or may not.
   */
  @Nullable OpenLease homeFor(Claim claim, RemoteLease lease) {
    if (claim.options.renewal() != Renewal.AUTOMATIC) {
      closeIfOpen(lease); // whether it is still renewed depends on its other holds
      return null;
    }
    if (lease != newestLease || !mayComeAgain(claim)) {
      return null;
    }
    OpenLease home = openLease;
    return home == null ? new OpenLease(lease) : home;
  }

  private boolean mayComeAgain(Claim claim) {
    return !isWatched()
        && (claim.owner instanceof Thread || claim.owner instanceof LockOwner)
        && claim.observers.origin() == null
        && claim.options.handOver().times() > 0
        && !claim.spec.beside();
  }

  /** Adds a new hold: to its seat if it has one, else to the holds under the mutex. */
  void seat(Hold hold, Claim claim) {
    OpenLease home = hold.home;
    if (home == null) {
      add(hold);
      return;
    }
    home.seat(claim.owner, hold, HandOverLimits.doesUntil(home.lease, claim.options));
    openLease = home;
  }

  // ---- under the mutex ----

  boolean isOpen(RemoteLease lease) {
    OpenLease now = openLease;
    return now != null && now.lease == lease;
  }

  /** Returns whether a lease has holds. An open lease without joined holds is closed. */
  boolean isStoodOn(RemoteLease lease) {
    OpenLease now = openLease;
    if (now != null && now.lease == lease) {
      if (now.isAttended()) {
        return true;
      }
      closeOpenLease();
    }
    return holdOver(lease) != null;
  }

  /** Closes a lease if it is open: all its holds are under the mutex from now on. */
  void closeIfOpen(RemoteLease lease) {
    if (isOpen(lease)) {
      closeOpenLease();
    }
  }

  /** Closes the open lease, if there is one. */
  void closeOpenLease() {
    OpenLease now = openLease;
    if (now == null) {
      return;
    }
    openLease = null;
    now.close(this::add);
    if (holdOver(now.lease) == null && !now.lease.hasEnded()) {
      ownLeftovers().leaving.add(now.lease);
    }
  }

  /**
   * Records that a lease is released, by the last to leave it or by another step under the mutex.
   */
  void dropped(RemoteLease lease) {
    if (!leftovers.leaving.isEmpty()) {
      leftovers.leaving.remove(lease);
    }
  }

  /** Closes the open lease, if its deadline has passed. */
  void closeIfPast(long now) {
    OpenLease past = openLease;
    if (past != null && past.lease.deadline() - now <= 0) {
      closeOpenLease();
    }
  }

  /**
   * Closes an owner's seat: what it holds is under the mutex from now on, and so is its next join.
   */
  void closeSeatOf(Object owner) {
    OpenLease now = openLease;
    if (now != null) {
      now.close(owner, this::add);
    }
  }

  /** Moves a hold under the mutex, if it is joined. */
  void takeOver(Hold hold) {
    if (hold.takeOver()) {
      add(hold);
    }
  }
}
