package dev.leasehold.lock.internal;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.internal.flight.Flight;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
final class Joining {
  private static final CompletableFuture<Void> LEFT = CompletableFuture.completedFuture(null);

  private final LockCell cell;
  private final Holds holds;
  private final HeldHere here;
  private final HandOvers handOvers;
  private final Timing time;
  private final Events events;

  /** The latest lease of several that may be shared. */
  private @Nullable RemoteLease newest;

  private volatile @Nullable OpenLease open;

  /** Leases that were closed while who left them last was still on the way to the cell. */
  private final Set<RemoteLease> leaving = new HashSet<>();

  Joining(
      LockCell cell, Holds holds, HeldHere here, HandOvers handOvers, Timing time, Events events) {
    this.cell = cell;
    this.holds = holds;
    this.here = here;
    this.handOvers = handOvers;
    this.time = time;
    this.events = events;
  }

  /** Past the cell nobody is told. */
  private boolean isWatched() {
    return events.areHeard() || Flight.RECORDER.isOn();
  }

  // ---- past the cell, by anybody ----

  /** A hold of an owner that stood on the open lease before; null if it has to ask the cell. */
  @Nullable Lease join(Object owner, LockOptions options) {
    OpenLease now = open;
    return now == null || isWatched() ? null : now.join(owner, options, time.now());
  }

  /** Leaves a joined hold again; null if it isn't one, or is none any more, or is past. */
  @Nullable CompletableFuture<Void> leave(Entry entry) {
    Hold hold = entry.hold;
    OpenLease home = hold.home;
    if (home == null || hold.deadline() - time.now() <= 0 || !hold.leaveByItself()) {
      return null;
    }
    return home.isAttended() ? LEFT : cell.computed(() -> holds.givingBack().left(entry));
  }

  /** The entry of a thread's joined hold that it made through a view. */
  @Nullable Entry viewed(Thread thread) {
    OpenLease now = open;
    Hold hold = now == null ? null : now.joinedBy(thread);
    return hold == null ? null : hold.latestViewed();
  }

  // ---- who joins ----

  /** Lets a waiter join those over the newest lease, if that may be: true if it did. */
  boolean joins(Acquisition acquisition) {
    RemoteLease lease = newest;
    if (lease == null || !isStoodOn(lease) || !handOvers.doesFor(lease, acquisition)) {
      return false;
    }
    lease.joined++;
    cell.tell(
        () -> new LockEvent.HandedOver(cell.kind(), cell.name(), time.since(acquisition.arrived)));
    cell.waiters()
        .take(acquisition, lease, Outcome.HANDED_OVER, () -> holds.begin(acquisition, lease));
    return true;
  }

  /** Those who waited while one asked for all. */
  void letJoin(Collection<Acquisition> queue) {
    if (newest != null) {
      for (Acquisition waiter : List.copyOf(queue)) {
        if (!waiter.isServed()) { // its owner may have come in by another of its waiters
          joins(waiter);
        }
      }
    }
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
  @Nullable OpenLease homeFor(Acquisition acquisition, RemoteLease lease) {
    if (acquisition.options.renewal() != Renewal.AUTOMATIC) {
      close(lease); // whether it is still to be renewed depends on who stands on it
      return null;
    }
    if (lease != newest || !mayComeAgain(acquisition)) {
      return null;
    }
    OpenLease home = open;
    return home == null ? new OpenLease(lease) : home;
  }

  private boolean mayComeAgain(Acquisition acquisition) {
    return !isWatched()
        && (acquisition.owner instanceof Thread || acquisition.owner instanceof LockOwner)
        && acquisition.origin == null
        && acquisition.options.handOver().times() > 0
        && !acquisition.share.beside();
  }

  /** A hold begins: in its seat if it has a home, else among the cell's. */
  void begin(Hold hold, Acquisition acquisition) {
    OpenLease home = hold.home;
    if (home == null) {
      here.add(hold);
      return;
    }
    home.seat(acquisition.owner, hold, handOvers.doesUntil(home.lease, acquisition.options));
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
      leaving.add(now.lease);
    }
  }

  /** Leases that nobody holds, and whoever left them last has not come to give them back. */
  List<RemoteLease> leaving() {
    return List.copyOf(leaving);
  }

  /** Whoever left a lease last has come, or the cell gives it back by itself. */
  void dropped(RemoteLease lease) {
    leaving.remove(lease);
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
