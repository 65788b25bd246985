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
import dev.leasehold.lock.internal.name.Sharing;
import dev.leasehold.lock.internal.threads.Reclaimer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is recorded of one name's holds: those that exist (at most one for an exclusive lock),
 * those that are lost, the lease that is kept without one, and the releases under way. {@link
 * Releases} and {@link LeaseExtension} are views of it with the operations on one part each. They
 * have no state of their own and are created for each use, so a held name costs no memory for them.
 *
 * <p>Also how owners join one lease, and leave it: under the mutex, or without it if the {@link
 * OpenLease} allows that. At most one lease is open, the newest. A lease with automatic renewal is
 * open to owners that rejoin it, for a limited time. An operation that must see all holds over it
 * closes it first: a renewal, a loss, a newer lease, the close of the manager. All holds are then
 * under the mutex, and the next owner that joins under the mutex may open the lease again. If there
 * are listeners, or Flight Recorder records locks, all owners use the mutex.
 *
 * <p>Guarded by the name's mutex, unless a method says otherwise; {@link #openLease} and, as a
 * hint, {@link #newestHold} are also read without it.
 */
abstract class HoldRecords implements Reclaimer.Watched {
  /** No ticker reads so. */
  static final long NEVER = Long.MIN_VALUE;

  final Monitor monitor;
  final Renewals renewals;

  /** The waiters that may get a lease that is released here. */
  final Successors waiting;

  /**
   * The hold that was added last, of those that are neither released nor lost: the holds are the
   * links of a list.
   */
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

  HoldRecords(Monitor monitor, Renewals renewals, Successors waiting) {
    this.monitor = monitor;
    this.renewals = renewals;
    this.waiting = waiting;
  }

  final Sharing sharing() {
    return monitor.services().sharing();
  }

  /** Returns the leftovers, to which something is added. */
  final Leftovers ownLeftovers() {
    leftovers = leftovers.own();
    return leftovers;
  }

  // ---- the holds that are neither released nor lost ----

  final void add(Hold hold) {
    hold.next = newestHold;
    newestHold = hold;
  }

  final void remove(Hold hold) {
    Hold before = null;
    for (Hold one = newestHold; one != null; before = one, one = one.next) {
      if (one == hold) {
        if (before == null) {
          newestHold = one.next;
        } else {
          before.next = one.next;
        }
        one.next = null; // one that is kept must not keep others
        return;
      }
    }
  }

  final @Nullable Hold holdOf(Object owner) {
    for (Hold hold = newestHold; hold != null; hold = hold.next) {
      if (hold.isOwnedBy(owner)) {
        return hold;
      }
    }
    return null;
  }

  /**
   * Returns whether the only hold is this owner's, as far as a thread without the mutex sees: a
   * thread that holds the lock itself is never wrong. For an exclusive lock.
   */
  final boolean seemsHeldBy(Object owner) {
    Hold seen = newestHold;
    return seen != null && seen.isOwnedBy(owner);
  }

  /** Returns a hold over this lease; null if there is none any more. */
  final @Nullable Hold holdOver(RemoteLease lease) {
    for (Hold hold = newestHold; hold != null; hold = hold.next) {
      if (hold.remote == lease) {
        return hold;
      }
    }
    return null;
  }

  /** Returns whether a hold over this lease is renewed automatically. */
  final boolean isAutomaticOver(RemoteLease lease) {
    for (Hold hold = newestHold; hold != null; hold = hold.next) { // for each fixed lease
      if (hold.remote == lease && hold.isAutomatic()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the hold over this lease with the earliest deadline; null if there is none any more.
   */
  final @Nullable Hold firstToEnd(RemoteLease lease) {
    return holdsOver(lease).stream()
        .min((one, other) -> Long.signum(one.deadline() - other.deadline()))
        .orElse(null);
  }

  /** Returns a hold whose deadline has passed; null if there is none. */
  final @Nullable Hold holdPast(long now) {
    for (Hold hold = newestHold; hold != null; hold = hold.next) {
      if (hold.deadline() - now <= 0) {
        return hold;
      }
    }
    return null;
  }

  /** Returns all holds over this lease now. */
  final List<Hold> holdsOver(RemoteLease lease) {
    List<Hold> over = new ArrayList<>(1);
    for (Hold hold = newestHold; hold != null; hold = hold.next) {
      if (hold.remote == lease) {
        over.add(hold);
      }
    }
    return over;
  }

  /** Returns all holds now. */
  final List<Hold> allHolds() {
    List<Hold> all = new ArrayList<>(1);
    for (Hold hold = newestHold; hold != null; hold = hold.next) {
      all.add(hold);
    }
    return all;
  }

  // ---- what they amount to ----

  /** Returns whether an owner in this process has held the name, or a share of it, since then. */
  public boolean wereHeldSince(long instant) {
    return newestHold != null || (lastLeft != NEVER && lastLeft - instant > 0);
  }

  /** Returns whether a request to the store may succeed, as far as this process knows. */
  public boolean admits() {
    return sharing() != Sharing.ONE || isVacant();
  }

  /** Returns whether holds of several owners may share one lease. */
  public boolean areShared() {
    return sharing() == Sharing.TOGETHER;
  }

  public boolean isVacant() {
    return newestHold == null
        && idle == null
        && openLease == null
        && leftovers.leaving.isEmpty()
        && !areReleasing();
  }

  /** Returns whether a release, or a renewal before a hand-over, is under way. */
  public boolean areReleasing() {
    return underWay > 0;
  }

  public boolean isForgotten() {
    return isVacant() && leftovers.lost.isEmpty();
  }

  public boolean supersedes(RemoteLease lease) {
    Hold hold = sharing() == Sharing.ONE ? newestHold : null;
    return hold != null && hold.remote.isNewerThan(lease);
  }

  // ---- shared leases ----

  /** The result of a release that avoids the mutex. */
  public enum Leaving {
    /** The release must take the mutex: the hold isn't joined, or is past its deadline. */
    NOT_JOINED,
    /** The hold was left, and others share its lease. */
    LEFT,
    /** The hold was left, and no other was seen on its lease. */
    LEFT_AS_LAST
  }

  @Override
  public final boolean hasLostHolds() {
    return monitor.computed(() -> leftovers.areLost());
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
    if (home == null) {
      return new OpenLease(lease);
    }
    return home.hasRoomFor(claim.owner) ? home : null;
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
