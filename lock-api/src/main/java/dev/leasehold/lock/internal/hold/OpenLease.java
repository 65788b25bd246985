package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease that owners join and leave without the cell's mutex. Each owner that joined under it has
 * a seat, where its holds follow one another; they touch nothing that others write.
 *
 * <p><b>The invariant.</b> A {@linkplain Hold.State#JOINED joined} hold is in the seat of an open
 * lease, every other hold that is held is among the cell's {@link ActiveHolds}, and none is in
 * both. One CAS begins a joined hold (the seat's, from a hold that was left), and one ends it (the
 * hold's state): to RELEASED by whoever has the handle, or to HELD by the cell, under its mutex. So
 * the cell that has closed a lease has all that goes on over it, and nobody joins behind its back.
 *
 * <p><b>The last one.</b> Whoever leaves looks, after its CAS, whether another seat is taken. If
 * none is, it goes through the cell, which looks again and gives the lease back. Of those that
 * leave at the same time at least the last finds nobody; who joins meanwhile keeps the lease.
 *
 * <p>Seats are made and closed under the mutex, joined and left by anybody.
 */
public final class OpenLease {
  private static final int SEATS = 8;

  final RemoteLease lease;

  /** By identity of the owners, with linear probing; half of it stays empty. */
  private volatile AtomicReferenceArray<Seat> seats = new AtomicReferenceArray<>(SEATS);

  private int count;

  /** Where somebody was seen last; any value will do. */
  private volatile int seen;

  OpenLease(RemoteLease lease) {
    this.lease = lease;
  }

  private static final class Seat {
    final Object owner;

    /** No hold begins here from then on. */
    final long until;

    /** The owner's latest hold; null once this is closed. */
    final AtomicReference<@Nullable Hold> latest;

    Seat(Object owner, long until, Hold first) {
      this.owner = owner;
      this.until = until;
      this.latest = new AtomicReference<>(first);
    }

    boolean isTaken() {
      Hold hold = latest.get();
      return hold != null && hold.isHeld();
    }
  }

  // ---- by anybody ----

  /** A hold of an owner that had one before and left it, if nothing has changed since then. */
  @Nullable
  public HoldEntry join(Object owner, LockOptions options, long now) {
    Seat seat = seatOf(owner);
    if (seat == null || now - seat.until >= 0) {
      return null;
    }
    Hold before = seat.latest.get();
    if (before == null || !before.mayComeAgain(options)) {
      return null;
    }
    Hold hold = new Hold(before, now);
    HoldEntry entry = hold.enter();
    return seat.latest.compareAndSet(before, hold) ? entry : null;
  }

  /** An owner's joined hold, if it has one. */
  @Nullable Hold joinedBy(Object owner) {
    Seat seat = seatOf(owner);
    Hold hold = seat == null ? null : seat.latest.get();
    return hold != null && hold.state() == Hold.State.JOINED ? hold : null;
  }

  /** Whether a seat is taken. */
  boolean isAttended() {
    AtomicReferenceArray<Seat> all = seats;
    int mask = all.length() - 1;
    int from = seen;
    for (int i = 0; i <= mask; i++) {
      int at = (from + i) & mask;
      Seat seat = all.get(at);
      if (seat != null && seat.isTaken()) {
        if (i > 0) {
          seen = at;
        }
        return true;
      }
    }
    return false;
  }

  private @Nullable Seat seatOf(Object owner) {
    AtomicReferenceArray<Seat> all = seats;
    return all.get(placeOf(owner, all));
  }

  /** Where an owner's seat is, or would be. */
  private static int placeOf(Object owner, AtomicReferenceArray<Seat> all) {
    int hash = System.identityHashCode(owner);
    int mask = all.length() - 1;
    int at = (hash ^ (hash >>> 16)) & mask;
    for (Seat seat = all.get(at); seat != null && seat.owner != owner; seat = all.get(at)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  // ---- under the mutex ----

  /** A joined hold begins, and its owner may come again until then. */
  void seat(Object owner, Hold first, long until) {
    int at = placeOf(owner, seats);
    if (seats.get(at) == null && 2 * ++count > seats.length()) {
      seats = grown(seats);
      at = placeOf(owner, seats);
    }
    seats.set(at, new Seat(owner, until, first));
  }

  private static AtomicReferenceArray<Seat> grown(AtomicReferenceArray<Seat> all) {
    AtomicReferenceArray<Seat> twice = new AtomicReferenceArray<>(2 * all.length());
    for (int i = 0; i < all.length(); i++) {
      Seat seat = all.get(i);
      if (seat != null) {
        twice.set(placeOf(seat.owner, twice), seat);
      }
    }
    return twice;
  }

  /** Closes an owner's seat, and hands over its hold if it has a joined one. */
  public void close(Object owner, Consumer<Hold> takes) {
    Seat seat = seatOf(owner);
    if (seat != null) {
      close(seat, takes);
    }
  }

  /** Closes all seats, and hands over the joined holds. */
  public void close(Consumer<Hold> takes) {
    AtomicReferenceArray<Seat> all = seats;
    for (int i = 0; i < all.length(); i++) {
      Seat seat = all.get(i);
      if (seat != null) {
        close(seat, takes);
      }
    }
  }

  private static void close(Seat seat, Consumer<Hold> takes) {
    Hold hold = seat.latest.getAndSet(null);
    if (hold != null && hold.takeOver()) {
      takes.accept(hold);
    }
  }
}
