package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.internal.flight.Flight;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How owners come to stand together on one lease of a name, and leave it again: through the cell,
 * or past it where the {@link OpenLease} lets them. At most one lease is open, the newest.
 *
 * <p>It is open for owners that come again, with a lease that is renewed, until the run's end. What
 * has to see all holds over it closes it first: a renewal, a loss, a newer lease, the close of the
 * manager. Then the cell has them all, and the next one that joins under the mutex may open it
 * anew. Where there are listeners, or a flight recording has the locks, all goes through the cell.
 * Guarded by the cell's mutex, where a method doesn't tell otherwise.
 */
public final class SharedLeases {
  private final Monitor monitor;
  private final ActiveHolds here;

  /** The latest lease of several that may be shared. */
  private @Nullable RemoteLease newest;

  private volatile @Nullable OpenLease open;

  /** Leases that were closed while who left them last was still on the way to the cell. */
  private Set<RemoteLease> leaving = Set.of();

  /** How a release that tries to go past the mutex ends. */
  public enum Leaving {
    /** It has to go the usual way: the hold isn't joined, or is past. */
    NOT_JOINED,
    /** It is left, and others stand on its lease. */
    LEFT,
    /** It is left, and nobody was seen on its lease any more. */
    LEFT_AS_LAST
  }

  SharedLeases(Monitor monitor, ActiveHolds here) {
    this.monitor = monitor;
    this.here = here;
  }

  /** Past the cell nobody is told. */
  private boolean isWatched() {
    return monitor.isHeard() || Flight.RECORDER.isOn();
  }

  // ---- past the cell, by anybody ----

  /** A hold of an owner that stood on the open lease before; null if it has to ask the cell. */
  @Nullable
  public HoldEntry join(Object owner, LockOptions options) {
    OpenLease now = open;
    return now == null || isWatched() ? null : now.join(owner, options, monitor.now());
  }

  /** Leaves a joined hold again, if that may be. */
  public Leaving leave(Hold hold) {
    OpenLease home = hold.home;
    if (home == null || hold.deadline() - monitor.now() <= 0 || !hold.leaveByItself()) {
      return Leaving.NOT_JOINED;
    }
    return home.isAttended() ? Leaving.LEFT : Leaving.LEFT_AS_LAST;
  }

  /** The entry of a thread's joined hold that it made through a view. */
  @Nullable
  public HoldEntry viewed(Thread thread) {
    OpenLease now = open;
    Hold hold = now == null ? null : now.joinedBy(thread);
    return hold == null ? null : hold.latestViewed();
  }

  // ---- who joins ----

  /** Lets a waiter join those over the newest lease; null if that may not be. */
  @Nullable
  public RemoteLease joins(Claim claim) {
    RemoteLease lease = newest;
    if (lease == null || !isStoodOn(lease) || !HandOverRules.doesFor(lease, claim, monitor.now())) {
      return null;
    }
    lease.joined++;
    monitor.tell(
        () ->
            new LockEvent.HandedOver(
                monitor.kind(), monitor.name(), monitor.time().since(claim.arrived)));
    return lease;
  }

  /** A lease was granted that others may join. */
  void granted(RemoteLease lease) {
    close();
    newest = lease;
  }

  /**
   * Where a hold that begins over a lease is to have its seat. Null if it has none: its owner can't
   * come again, or may not.
   */
  @Nullable OpenLease homeFor(Claim claim, RemoteLease lease) {
    if (claim.options.renewal() != Renewal.AUTOMATIC) {
      close(lease); // whether it is still to be renewed depends on who stands on it
      return null;
    }
    if (lease != newest || !mayComeAgain(claim)) {
      return null;
    }
    OpenLease home = open;
    return home == null ? new OpenLease(lease) : home;
  }

  private boolean mayComeAgain(Claim claim) {
    return !isWatched()
        && (claim.owner instanceof Thread || claim.owner instanceof LockOwner)
        && claim.origin == null
        && claim.options.handOver().times() > 0
        && !claim.spec.beside();
  }

  /** A hold begins: in its seat if it has a home, else among the cell's. */
  void begin(Hold hold, Claim claim) {
    OpenLease home = hold.home;
    if (home == null) {
      here.add(hold);
      return;
    }
    home.seat(claim.owner, hold, HandOverRules.doesUntil(home.lease, claim.options));
    open = home;
  }

  // ---- what is the cell's ----

  boolean isOpen() {
    return open != null;
  }

  /** Whether nothing is open, nor left for somebody who is on the way to give it back. */
  boolean isVacant() {
    return open == null && leaving.isEmpty();
  }

  boolean isOpen(RemoteLease lease) {
    OpenLease now = open;
    return now != null && now.lease == lease;
  }

  /** Whether anybody stands on a lease. One that nobody has joined for now is closed. */
  boolean isStoodOn(RemoteLease lease) {
    OpenLease now = open;
    if (now != null && now.lease == lease) {
      if (now.isAttended()) {
        return true;
      }
      close();
    }
    return here.over(lease) != null;
  }

  /** What goes on over a lease is the cell's from now on. */
  void close(RemoteLease lease) {
    if (isOpen(lease)) {
      close();
    }
  }

  /** The same, of whichever is open, if one is. */
  void close() {
    OpenLease now = open;
    if (now == null) {
      return;
    }
    open = null;
    now.close(here::add);
    if (here.over(now.lease) == null && !now.lease.givenBack) {
      leaving = leaving.isEmpty() ? new HashSet<>(2) : leaving;
      leaving.add(now.lease);
    }
  }

  /** Leases that nobody holds, and whoever left them last has not come to give them back. */
  List<RemoteLease> leaving() {
    return List.copyOf(leaving);
  }

  /** Whoever left a lease last has come, or the cell gives it back by itself. */
  void dropped(RemoteLease lease) {
    if (!leaving.isEmpty()) {
      leaving.remove(lease);
    }
  }

  /** The same, once its deadline has passed. */
  void closeIfPast(long now) {
    OpenLease past = open;
    if (past != null && past.lease.deadline() - now <= 0) {
      close();
    }
  }

  /** What an owner holds is the cell's from now on, and so is how it joins the next time. */
  void closeSeatOf(Object owner) {
    OpenLease now = open;
    if (now != null) {
      now.close(owner, here::add);
    }
  }

  /** The same of one hold, if it is joined. */
  void takeOver(Hold hold) {
    if (hold.takeOver()) {
      here.add(hold);
    }
  }
}
